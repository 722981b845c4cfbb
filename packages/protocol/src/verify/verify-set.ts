/** Verifies receipts together, without their events (spec/receipt.md §7.1). */
import { type Finding, finding } from "./finding.ts";
import { createReceiptSet } from "./receipt-set.ts";
import { verifyReceipt } from "./verify-receipt.ts";
import type { VerifyOptions } from "./verify-signature.ts";

export interface SetVerdict {
  readonly verdict: "valid" | "invalid";
  readonly valid: boolean;
  readonly receipts: number;
  readonly runs: number;
  readonly findings: readonly Finding[];
}

/** Checks receipts without their events: signatures, order of turns, and the tree of runs. */
export async function verifySet(
  receipts: readonly (string | Uint8Array)[],
  options: VerifyOptions,
): Promise<SetVerdict> {
  const verdicts = await Promise.all(receipts.map((text) => verifyReceipt(text, options)));
  const findings: Finding[] = [];
  const set = createReceiptSet();
  for (const [receipt, verdict] of verdicts.entries()) {
    if (verdict.kind === "valid") findings.push(...set.add(verdict, receipt));
    else findings.push(...verdict.findings.map((fault) => ({ ...fault, receipt })));
  }
  if (receipts.length === 0) findings.push(finding("SET_MISSING", "the set has no receipt"));
  findings.push(...set.judge());
  const valid = findings.length === 0;
  const counts = { receipts: receipts.length, runs: set.runs() };
  return { verdict: valid ? "valid" : "invalid", valid, ...counts, findings };
}
