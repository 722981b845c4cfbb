import { openDriftFinder, readRun } from "@turnseal/host";
import type { ReconcileWay } from "@turnseal/protocol/artifact";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { findRunRoots } from "@turnseal/runtime/runs";
import { shortId, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { accept, RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import type { NamedRun } from "../../with-run.ts";
import { reconcileFiles } from "../files/reconcile-files.ts";
import { isIdle } from "../state/is-idle.ts";
import { describeDrifted, listDrifted } from "./decide-safety.ts";

/** `leave`: the run goes on, and its tools find out file by file. */
export type OnDrift = Exclude<ReconcileWay, "manual"> | "leave";

interface DriftWords {
  readonly from?: readonly string[] | undefined;
  readonly onDrift?: OnDrift | undefined;
  readonly json?: boolean | undefined;
  readonly background?: boolean | undefined;
  /** Takes the run from its holder, which reconciling needs, too. */
  readonly takeOver?: (() => Promise<void>) | undefined;
}

/**
 * A person who continues a run with drifted files decides which side wins; undefined if it may
 * go on. For a run in the background, a person was asked before.
 */
export async function resolveDrift(
  named: NamedRun,
  { onDrift, json, background = false, from, takeOver }: DriftWords,
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  if (onDrift === "leave" || background) return undefined;
  const { terminal, environment } = surroundings;
  const { known, folder } = named;
  const bound = accept(await findRunRoots(known, folder, { environment, from }));
  const { roots } = bound;
  const { artifacts = {}, stopped, spec } = (await readRun(folder.stores, known.run)) ?? {};
  if (typeof stopped === "string" || (await isCancelled(named))) return undefined;
  const found = await openDriftFinder(known.run, { stores: folder.stores, roots }).find(artifacts);
  const drifted = listDrifted(found, folder.engine !== undefined);
  if (drifted.length === 0) return undefined;
  if (onDrift !== undefined) {
    const given = { way: onDrift, roots, isConfirmed: true, json, takeOver };
    const end = await reconcileFiles(named, given, surroundings);
    return end === "done" ? undefined : end;
  }
  const { out } = terminal;
  const names = drifted.map(({ root }) => root);
  if (json) writeJson(out, { type: "drift", run: known.run, roots: names });
  const { words, next } = describeDrifted(known.run, drifted, spec?.bounds.noDrift === true);
  throw new RefusalError(
    `run ${shortId(known.run)} is not resumed: ${words}`,
    next,
    EXIT_CODES.failed,
  );
}

/** A cancelled run does not go on, even if its files have drifted. */
export async function isCancelled({ known: { run }, folder }: NamedRun): Promise<boolean> {
  const cancels = await folder.stores.inbox.peek(run, "cancel");
  return cancels.some(({ body }) => body["turn"] === undefined);
}

interface KeyedStart {
  readonly key?: string;
  readonly from?: readonly string[];
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly surroundings: Surroundings;
}

/** A start with a key may be that of a run that was here before: then it is a resume. */
export async function resolveDriftOf(
  run: string,
  folder: StoreFolder,
  { key, from, follow = false, json, surroundings }: KeyedStart,
): Promise<ExitCode | undefined> {
  const search = key === undefined ? undefined : await findRun(folder, run);
  if (search?.kind !== "found" || search.known.projection === undefined) return undefined;
  const { known } = search;
  // A run that only waits does not go on, even if its files have drifted.
  const isIdling = !follow && (await isIdle(search.known.projection, folder));
  return isIdling ? undefined : resolveDrift({ known, folder }, { json, from }, surroundings);
}
