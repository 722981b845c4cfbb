/** What came of a rollback, held against what truly happened and against what was there before. */

import type { RunProjection } from "@turnseal/host";
import { collectRun, readRollbackHead, readRollbackProgress } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { verifyRun } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../crash/crash-key.ts";
import type { AskedRollback } from "./ask-rollback.ts";
import { doneBefore, readFiles, readLedger } from "./shelf-loops.ts";

export interface Expected extends AskedRollback {
  readonly place: string;
  readonly failing: number;
  /** The files as they were before the plan. */
  readonly before: string;
}

/** What is not as it has to be, in words. */
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
    ...compare("taken back", undone.join(), wanted.undone.join()),
    ...compare("keys", new Set(ledger.map(({ key }) => key)).size, ledger.length),
    ...compare("files", readFiles(place), before),
    ...compare("left", left.join(), wanted.final.map(() => "local.mail irreversible").join()),
    ...compare("progress", progress?.takenBack ?? -1, wanted.undone.length),
  ];
  for (const each of [run, rollback]) {
    const collected = await collectRun(stores, each);
    const { findings } = await verifyRun(collected, { keys: [crashPublicKey] });
    problems.push(...findings.map(({ code }) => `${code} in ${each}`));
  }
  return problems;
}

function compare<Value>(what: string, is: Value, wanted: Value): string[] {
  return is === wanted ? [] : [`${what}: ${String(is)}, and not ${String(wanted)}`];
}
