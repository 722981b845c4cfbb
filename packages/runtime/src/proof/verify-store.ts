/**
 * Verifies every run of a store, one after the other, however many there are.
 *
 * Runs of a store are alive: one that has not begun, or whose first turn is open, has nothing that
 * could be sealed yet. It is named as such, never as valid, and does not make the others wrong.
 */
import { isDeepStrictEqual } from "node:util";
import { collectRun } from "@turnseal/host";
import {
  createTree,
  type RunVerdict,
  type TreeVerdict,
  type VerdictWord,
  type VerifyOptions,
} from "@turnseal/protocol/receipts";
import { readRuns } from "../folder/list-runs.ts";
import type { StoreFolder } from "../folder/store-folder.ts";

export interface StoreVerdict extends TreeVerdict {
  /** Runs in which no turn was begun: nothing is said of them. */
  readonly notStarted: readonly string[];
  /** Runs whose first turn is open: nothing of them is sealed yet. */
  readonly notSealed: readonly string[];
}

/** How often a store is read before something in it is called wrong. */
export const LOOKS_MAX = 3;

/**
 * Runs go on while others are read: a run can name the receipt of another that was read before it
 * was there. What is wrong stays wrong, and is found again; what a later look does not find was
 * only read too early.
 */
export async function verifyStore(
  folder: StoreFolder,
  trust: VerifyOptions,
): Promise<StoreVerdict> {
  let verdict = await lookAtAll(folder, trust);
  for (let looks = 1; looks < LOOKS_MAX && verdict.verdict === "invalid"; looks++) {
    const before = verdict;
    verdict = await lookAtAll(folder, trust);
    if (isDeepStrictEqual(before, verdict)) break;
  }
  return verdict;
}

async function lookAtAll(folder: StoreFolder, trust: VerifyOptions): Promise<StoreVerdict> {
  const tree = createTree(trust);
  const notStarted: string[] = [];
  for await (const { run } of readRuns(folder)) {
    const collected = await collectRun(folder.stores, run);
    if (collected.events.length === 0) notStarted.push(run);
    else await tree.add(collected);
  }
  return judgeStore(tree.judge(), notStarted);
}

function judgeStore(tree: TreeVerdict, empty: readonly string[]): StoreVerdict {
  const waiting = tree.runs.filter(isUnsealed);
  const begun = waiting.filter(({ findings }) => findings[0]?.sequence !== undefined);
  const isWrong =
    !tree.set.valid || tree.runs.some((run) => run.verdict === "invalid" && !isUnsealed(run));
  const isOpen = begun.length > 0 || tree.runs.some(({ verdict }) => verdict === "open");
  const verdict: VerdictWord = isWrong ? "invalid" : isOpen ? "open" : "valid";
  const idle = waiting.filter((run) => !begun.includes(run));
  return {
    ...tree,
    verdict,
    valid: verdict === "valid",
    notStarted: [...empty, ...idle.map(({ run }) => run)],
    notSealed: begun.map(({ run }) => run),
  };
}

/** True when nothing else is found in a run than that no turn of it is closed. */
export function isUnsealed({ findings }: RunVerdict): boolean {
  return findings.length > 0 && findings.every(({ code }) => code === "RUN_UNSEALED");
}
