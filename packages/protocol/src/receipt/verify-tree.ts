import { type RunToVerify, type RunVerdict, verifyRun } from "./verify-run.ts";
import { type SetVerdict, verifySet } from "./verify-set.ts";
import type { VerifyOptions } from "./verify-signature.ts";

export interface TreeVerdict {
  readonly valid: boolean;
  readonly runs: readonly RunVerdict[];
  readonly set: SetVerdict;
}

/** Checks runs with their events, and that their receipts fit together (spec/receipt.md §7). */
export async function verifyTree(
  runs: readonly RunToVerify[],
  options: VerifyOptions,
): Promise<TreeVerdict> {
  const verdicts: RunVerdict[] = [];
  for (const run of runs) verdicts.push(await verifyRun(run, options));
  const set = await verifySet(
    runs.flatMap(({ receipts }) => receipts),
    options,
  );
  return { valid: set.valid && verdicts.every(({ valid }) => valid), runs: verdicts, set };
}
