/**
 * Verifies every run of a store, page by page and some at once, for any number of runs.
 *
 * Runs of a store are alive: a run that has not begun, or whose first turn is open, has nothing to
 * seal yet. It is named as such, never as valid, and does not make the others wrong.
 */
import type { RunVerdict, VerifyOptions } from "@turnseal/protocol/receipts";
import type { StoreFolder } from "@turnseal/runtime/folder";
import { listOrigins } from "@turnseal/runtime/folder";
import { type FamilyParts, type FamilyVerdict, verifyFamily } from "@turnseal/runtime/runs";
import { createTally, type StoreVerdict, type Tally } from "./store-verdict.ts";

export interface StoreWork {
  /** Goes on behind this run, where an earlier one was interrupted. */
  readonly after?: string;
  /** True for the runs of one tenant of many: it may have none that has a receipt yet. */
  readonly isPart?: boolean;
  /** Interrupts it: running checks finish, and no other begins. */
  readonly signal?: AbortSignal;
  /** Takes the verdict on each run, in the order in which they are listed. */
  onRun?(verdict: RunVerdict): void;
  /** Reports how many runs were checked so far, and up to which one all were. */
  onProgress?(checked: number, upTo: string): void;
}

/** The most runs that are verified at the same time, each with the runs that it started. */
const AT_ONCE_MAX = 4;

export async function verifyStore(
  folder: StoreFolder,
  trust: VerifyOptions,
  work: StoreWork = {},
): Promise<StoreVerdict> {
  const { path, stores, engine } = folder;
  // Under an engine a run is in the database from its first moment on; a note may be of another.
  const notes = engine === undefined ? await listOrigins(path) : [];
  const noted = new Set(notes.map(({ run }) => run));
  const isListed = async (run: string): Promise<boolean> =>
    noted.has(run) || (await stores.runs.read(run)) !== undefined;
  const tally = createTally();
  const pages = createPages({ stores, trust, isListed }, tally, work);
  const { after = "", signal } = work;
  let upTo: string | undefined;
  for (let page = await stores.runs.list(after); page.length > 0; ) {
    const done = await pages.check(page.map(({ run }) => run));
    upTo = done ?? upTo;
    if (signal?.aborted === true) break;
    page = await stores.runs.list(page.at(-1)?.run);
  }
  for (const run of noted) {
    if (signal?.aborted === true) break;
    if ((await stores.runs.read(run)) === undefined) await pages.check([run]);
  }
  const isInterrupted = signal?.aborted === true;
  const isWhole = work.after === undefined && work.isPart !== true && !isInterrupted;
  const verdict = tally.judge({ isWhole, isInterrupted });
  return isInterrupted ? { ...verdict, interrupted: upTo === undefined ? {} : { upTo } } : verdict;
}

function createPages(parts: FamilyParts, tally: Tally, { signal, onRun, onProgress }: StoreWork) {
  const take = (run: string, family: FamilyVerdict | "another's"): void => {
    if (family !== "another's") {
      if (family.runs.length === 0) tally.addNotStarted(run);
      tally.addFamily(family);
      for (const verdict of family.runs) onRun?.(verdict);
    }
    onProgress?.(tally.checked(), run);
  };
  return {
    /** Checks runs, and answers up to which one all were. */
    check: async (runs: readonly string[]): Promise<string | undefined> => {
      const verdicts = new Map<string, FamilyVerdict | "another's">();
      let [next, taken, isFailed] = [0, 0, false];
      const checkSome = async (): Promise<void> => {
        while (!isFailed && signal?.aborted !== true) {
          const run = runs[next];
          if (run === undefined) return;
          next += 1;
          verdicts.set(run, (await verifyFamily(run, parts)) ?? "another's");
          // In their order, so that all before one are done.
          for (let first = runs[taken]; first !== undefined; first = runs[taken]) {
            const verdict = verdicts.get(first);
            if (verdict === undefined) break;
            verdicts.delete(first);
            taken += 1;
            take(first, verdict);
          }
        }
      };
      const checkOrStop = async (): Promise<void> => {
        try {
          await checkSome();
        } catch (error) {
          isFailed = true;
          throw error;
        }
      };
      const lanes = Array.from({ length: AT_ONCE_MAX }, checkOrStop);
      // All lanes must end before the caller may close the store.
      await Promise.allSettled(lanes);
      await Promise.all(lanes);
      return runs[taken - 1];
    },
  };
}
