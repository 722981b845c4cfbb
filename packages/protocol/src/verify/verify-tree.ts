/** Verifies runs that started each other, with their events (spec/receipt.md §7.2). */

import type { ParentClaim } from "../run/parent-claim.ts";
import { checkHandoffs } from "./check-handoffs.ts";
import { type Finding, finding } from "./finding.ts";
import { type HandoffFacts, pickRunFacts, type RunFacts } from "./handoff-facts.ts";
import type { VerdictWord } from "./judge-findings.ts";
import { createReceiptSet } from "./receipt-set.ts";
import { examineRun, type RunToVerify, type RunVerdict } from "./verify-run.ts";
import type { SetVerdict } from "./verify-set.ts";
import type { VerifyOptions } from "./verify-signature.ts";

export interface TreeVerdict {
  readonly verdict: VerdictWord;
  /** True for the word `valid` alone. */
  readonly valid: boolean;
  readonly runs: readonly RunVerdict[];
  /** Findings between runs: in their receipts, and in their references to each other. */
  readonly set: SetVerdict;
}

/** Checks runs with their events, and that they fit together. */
export async function verifyTree(
  runs: readonly RunToVerify[],
  options: VerifyOptions,
): Promise<TreeVerdict> {
  const tree = createTree(options);
  for (const run of runs) await tree.add(run);
  return tree.judge();
}

/** A tree that is verified run by run: of each, only what others are held against is kept. */
export interface Tree {
  add(run: RunToVerify): Promise<RunVerdict>;
  judge(): TreeVerdict;
}

export function createTree(options: VerifyOptions): Tree {
  const verdicts: RunVerdict[] = [];
  const known = new Set<string>();
  const facts = new Map<string, RunFacts>();
  const set = createReceiptSet();
  const findings: Finding[] = [];
  let receipts = 0;
  return {
    add: async (subject) => {
      const { verdict, ...examined } = await examineRun(subject, options);
      const { run } = subject;
      verdicts.push(verdict);
      receipts += subject.receipts.length;
      if (known.has(run)) {
        findings.push(finding("SET_DUPLICATE", "the run is in the list twice", { run }));
        return verdict;
      }
      known.add(run);
      // Of a run whose chain is broken nothing is held against others.
      if (examined.events.length > 0) facts.set(run, pickRunFacts(run, examined));
      for (const receipt of examined.receipts) findings.push(...set.add(receipt));
      return verdict;
    },
    judge: () => {
      const all = [...findings, ...set.judge(knowsOpen(facts)), ...checkHandoffs(facts)];
      if (receipts === 0) all.push(finding("SET_MISSING", "the set has no receipt"));
      const fits = all.length === 0;
      const verdict = judgeTree(verdicts, fits);
      return {
        verdict,
        valid: verdict === "valid",
        runs: verdicts,
        set: {
          verdict: fits ? "valid" : "invalid",
          valid: fits,
          receipts,
          runs: set.runs(),
          findings: all,
        },
      };
    },
  };
}

function judgeTree(runs: readonly RunVerdict[], fits: boolean): VerdictWord {
  if (!fits || runs.some(({ verdict }) => verdict === "invalid")) return "invalid";
  return runs.some(({ verdict }) => verdict === "open") ? "open" : "valid";
}

/** Knows the claims that stand in the tail of a run: their turn has no receipt yet. */
function knowsOpen(
  facts: ReadonlyMap<string, RunFacts>,
): (parent: ParentClaim, child: string) => boolean {
  return (parent, child) =>
    facts.get(parent.run)?.handoffs.some((handoff) => isOpenClaim(handoff, parent, child)) === true;
}

function isOpenClaim(
  handoff: HandoffFacts,
  { sequence, hash }: ParentClaim,
  child: string,
): boolean {
  const { claim, isSealed } = handoff;
  return !isSealed && handoff.child === child && claim.sequence === sequence && claim.hash === hash;
}
