/**
 * Judges the record of a finished talk: it must replay to the same events, and verifiers must
 * accept it.
 */
import { collectRun } from "@turnseal/host";
import { verifyBundle } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../kit/crash-key.ts";
import type { TalkingHost } from "./talking-host.ts";

export interface RunJudgement {
  readonly turns: number;
  /** Turns that came to something else when they were run again from their record. */
  readonly differing: number;
  /** Findings of the verifier in what was exported, and turns without a receipt. */
  readonly findings: number;
}

export async function judgeRun(
  { host, stores }: Pick<TalkingHost, "host" | "stores">,
  run: string,
): Promise<RunJudgement> {
  let [turns, differing] = [0, 0];
  for await (const { replayed } of host.replay(run)) {
    turns += 1;
    differing += replayed.kind === "identical" ? 0 : 1;
  }
  const exported = JSON.stringify(await collectRun(stores, run));
  const verdict = await verifyBundle(JSON.parse(exported), { keys: [crashPublicKey] });
  const isRefused = !verdict.valid && verdict.findings.length === 0;
  const unsealed = Math.abs(turns - verdict.receipts);
  return { turns, differing, findings: verdict.findings.length + unsealed + (isRefused ? 1 : 0) };
}
