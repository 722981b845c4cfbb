/** The result of verifying the runs of a store: counts, and the first findings. */
import type { Finding, RunVerdict, SetVerdict, VerdictWord } from "@turnseal/protocol/receipts";
import { type FamilyVerdict, isUnsealed, isWrong } from "@turnseal/runtime/runs";

export interface StoreVerdict {
  readonly verdict: VerdictWord;
  /** True for the word `valid` alone. */
  readonly valid: boolean;
  /** How many runs were checked that have begun. */
  readonly checked: number;
  /** Findings, each with its run: the first `KEPT_MAX`. */
  readonly findings: readonly Finding[];
  /** How much is wrong in all. */
  readonly found: number;
  /** Findings between runs: in their receipts, and in their references to each other. */
  readonly set: SetVerdict;
  /** Runs without a turn: there is nothing to verify. The first `KEPT_MAX`. */
  readonly notStarted: readonly string[];
  /** Runs whose first turn is open: nothing of them is sealed yet. The first `KEPT_MAX`. */
  readonly notSealed: readonly string[];
  /** How many there are of each. */
  readonly waiting: { readonly notStarted: number; readonly notSealed: number };
  /** Set where it was interrupted: up to which run all were checked, if any was. */
  readonly interrupted?: { readonly upTo?: string };
}

/** How many of one kind are named; all are counted. */
export const KEPT_MAX = 1_000;

export interface Tally {
  /** How many runs were checked so far. */
  checked(): number;
  addFamily(family: FamilyVerdict): void;
  addNotStarted(run: string): void;
  /** `isWhole`: every run of the store was checked, so that a store without a receipt is wrong. */
  judge(how: { readonly isWhole: boolean; readonly isInterrupted: boolean }): StoreVerdict;
}

export function createTally(): Tally {
  const findings = createFirst<Finding>();
  const between = createFirst<Finding>();
  const notStarted = createFirst<string>();
  const notSealed = createFirst<string>();
  let [checked, receipts, sealed, wrong, open] = [0, 0, 0, 0, 0];
  return {
    checked: () => checked,
    addNotStarted: notStarted.add,
    addFamily: (family) => {
      if (isWrong(family)) wrong += 1;
      for (const verdict of family.runs) {
        checked += 1;
        receipts += verdict.receipts;
        if (verdict.receipts > 0) sealed += 1;
        if (verdict.verdict === "open") open += 1;
        if (!isUnsealed(verdict))
          for (const each of verdict.findings) findings.add({ run: verdict.run, ...each });
        else if (hasBegun(verdict)) notSealed.add(verdict.run);
        else notStarted.add(verdict.run);
      }
      for (const each of family.findings) {
        findings.add(each);
        between.add(each);
      }
    },
    judge: ({ isWhole, isInterrupted }) => {
      const none: Finding = { code: "SET_MISSING", message: "the set has no receipt" };
      if (isWhole && receipts === 0) for (const list of [findings, between]) list.add(none);
      const isOpen = open + notSealed.count() > 0 || isInterrupted;
      const isInvalid = wrong > 0 || between.count() > 0;
      const verdict: VerdictWord = isInvalid ? "invalid" : isOpen ? "open" : "valid";
      const fits = between.count() === 0;
      return {
        ...{ verdict, valid: verdict === "valid", checked },
        ...{ findings: findings.first, found: findings.count() },
        set: {
          verdict: fits ? "valid" : "invalid",
          ...{ valid: fits, receipts, runs: sealed, findings: between.first },
        },
        ...{ notStarted: notStarted.first, notSealed: notSealed.first },
        waiting: { notStarted: notStarted.count(), notSealed: notSealed.count() },
      };
    },
  };
}

/** True if a turn was begun, which is then open. */
function hasBegun({ findings }: RunVerdict): boolean {
  return findings[0]?.sequence !== undefined;
}

/** The first of many, and how many there are. */
function createFirst<Value>() {
  const first: Value[] = [];
  let count = 0;
  return {
    first: first as readonly Value[],
    count: () => count,
    add: (value: Value): void => {
      count += 1;
      if (first.length < KEPT_MAX) first.push(value);
    },
  };
}
