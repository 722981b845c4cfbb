import type { Finding, VerdictWord } from "@turnseal/protocol/receipts";

/** The answer of both verifiers, as far as it is compared. */
export interface Verdict {
  /** What it comes to, in one word (spec/receipt.md §6.8). */
  readonly verdict: VerdictWord;
  readonly valid: boolean;
  readonly findings: readonly (Omit<Finding, "code" | "message"> & { readonly code: string })[];
}

/** True when both find the same, in the same places. */
export function agree(ours: Verdict, theirs: Verdict): boolean {
  return describeVerdict(ours) === describeVerdict(theirs);
}

/** The verdict, and every finding with its place, in one order. */
export function describeVerdict({ verdict, findings }: Verdict): string {
  const lines = findings.map(({ code, sequence, turn, receipt, run }) =>
    [code, sequence, turn, receipt, run].join(" "),
  );
  return [verdict, ...lines.sort()].join("; ");
}
