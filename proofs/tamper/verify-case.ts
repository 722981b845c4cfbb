import {
  type PublicKey,
  type RunBundle,
  verifyBundle,
  verifySet,
  verifyTree,
} from "@turnseal/protocol/receipts";
import type { Verdict } from "./verdict.ts";

/** Something to verify, in the words of the protocol: one of `bundle`, `receipts` and `tree`. */
export interface Case {
  readonly keys: readonly PublicKey[];
  readonly production?: boolean;
  readonly bundle?: unknown;
  readonly receipts?: readonly string[];
  readonly tree?: readonly RunBundle[];
}

/** What our verifier says of a case. */
export async function verifyCase({ bundle, receipts, tree, ...trust }: Case): Promise<Verdict> {
  if (receipts !== undefined) return verifySet(receipts, trust);
  if (tree === undefined) return verifyBundle(bundle, trust);
  const { verdict, valid, runs, set } = await verifyTree(tree, trust);
  return { verdict, valid, findings: [...runs, set].flatMap(({ findings }) => findings) };
}
