/** Compares the result of a rollback with the true effects and with the state before. */

import { dirname } from "node:path";
import type { RunProjection } from "@turnseal/folds";
import { foldRun, readStateHash } from "@turnseal/folds/graph";
import {
  collectRun,
  digestPresentFiles,
  findCheckpoint,
  hashKept,
  readEvents,
  readRollbackHead,
  readRollbackProgress,
} from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { verifyRun } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../kit/crash-key.ts";
import type { AskedRollback } from "./ask-rollback.ts";
import { doneBefore, readFiles, readLedger, shelfRoots } from "./shelf-loops.ts";

export interface Expected extends AskedRollback {
  readonly place: string;
  readonly failing: number;
  /** The files as they were before the plan. */
  readonly before: string;
  /** The description of its checkpoint, from before it began. */
  readonly checkpoint: string;
}

/** Lists the deviations, in words. */
export async function judgeRollback(
  expected: Expected,
  stores: Stores,
  projection: RunProjection | undefined,
): Promise<string[]> {
  const { place, failing, before, run, rollback } = expected;
  const ledger = readLedger(place);
  const undone = ledger.filter(({ word }) => word === "undid").map(({ id }) => id);
  const wanted = doneBefore(failing);
  const head = await readRollbackHead(stores, projection);
  const progress = await readRollbackProgress(stores, projection);
  const left = (head?.left ?? []).map(({ tool, why }) => `${tool} ${why}`);
  const problems = [
    ...compare("stopped", projection?.stopped ?? "open", "goal-reached"),
    ...compare("cancelled", undone.join(), wanted.cancelled.join()),
    ...compare(
      "order",
      (await listTaken(stores, rollback)).join(),
      (await listDone(stores, run)).join(),
    ),
    ...compare("keys", new Set(ledger.map(({ key }) => key)).size, ledger.length),
    ...compare("files", readFiles(place), before),
    ...compare("left", left.join(), wanted.final.map(() => "local.mail irreversible").join()),
    ...compare("progress", progress?.takenBack ?? -1, wanted.takenBack),
    ...compare("checkpoint", await describeCheckpoint(stores, run), expected.checkpoint),
    ...(await compareFiles(expected, stores)),
    ...(await compareGraph(run, stores)),
  ];
  for (const each of [run, rollback]) {
    const collected = await collectRun(stores, each);
    const { findings } = await verifyRun(collected, { keys: [crashPublicKey] });
    problems.push(...findings.map(({ code }) => `${code} in ${each}`));
  }
  return problems;
}

/** The keys of the run's effects that can be taken back, the latest first. */
async function listDone(stores: Stores, run: string): Promise<string[]> {
  const claimed = new Map<string, boolean>();
  for await (const { type, content } of readEvents(stores.log, run, 1)) {
    if (type === "action.claimed" && content.action === "tool" && content.compensation)
      claimed.set(content.key, false);
    if (type === "action.settled" && content.action === "tool" && claimed.has(content.key))
      claimed.set(content.key, content.status === "ok" || content.artifacts !== undefined);
  }
  return [...claimed].flatMap(([key, isDone]) => (isDone ? [key] : [])).toReversed();
}

/** The keys of the effects that were taken back, in that order, each once even after a restart. */
async function listTaken(stores: Stores, rollback: string): Promise<string[]> {
  const taken = new Set<string>();
  for await (const { type, content } of readEvents(stores.log, rollback, 1))
    if (type === "action.claimed" && content.action === "tool" && content.takesBack)
      taken.add(content.takesBack.key);
  return [...taken];
}

/**
 * The checkpoint, and the stored graph of the run. A rollback appends nothing to the run, so
 * neither may change.
 */
export async function describeCheckpoint(stores: Stores, run: string): Promise<string> {
  const checkpoint = (await findCheckpoint(stores, run, 0)) ?? null;
  return JSON.stringify({ checkpoint, kept: await hashGraph(stores, run) });
}

/** The digest of what stands in the folder is that of the page of the checkpoint. */
async function compareFiles({ place, run }: Expected, stores: Stores): Promise<string[]> {
  const checkpoint = await findCheckpoint(stores, run, 0);
  if (checkpoint === undefined) return ["the run has no checkpoint"];
  const roots = shelfRoots(dirname(place));
  const standing = await digestPresentFiles(checkpoint, { stores, roots });
  return compare("page", JSON.stringify(standing), JSON.stringify(checkpoint.files));
}

/** The graph that is kept is that of the log, whose state at the checkpoint was compared. */
async function compareGraph(run: string, stores: Stores): Promise<string[]> {
  const folded = foldRun(run);
  for await (const event of readEvents(stores.log, run, 1)) folded.follow(event);
  const kept = await hashGraph(stores, run);
  return compare("graph", kept, readStateHash(folded.graph));
}

async function hashGraph({ graphs }: Stores, run: string): Promise<string> {
  return graphs === undefined ? "none is kept" : (await hashKept(graphs, run)).hash;
}

function compare<Value>(what: string, is: Value, wanted: Value): string[] {
  return is === wanted ? [] : [`${what}: ${String(is)}, and not ${String(wanted)}`];
}
