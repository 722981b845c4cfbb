import type { Finding } from "./finding.ts";

/**
 * The verdict on a run or a tree, in one word (spec/receipt.md §6.8). `open`: what is sealed is
 * valid, and a turn is open about which nothing is proven.
 */
export type VerdictWord = "valid" | "open" | "invalid";

/** The word for what was found in a run. */
export function judgeFindings(findings: readonly Pick<Finding, "code">[]): VerdictWord {
  if (findings.length === 0) return "valid";
  return findings.every(({ code }) => code === "TAIL_UNSEALED") ? "open" : "invalid";
}
