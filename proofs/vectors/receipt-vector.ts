import type { Finding, PublicKey, VerdictWord } from "@turnseal/protocol/receipts";

/** One case: a bundle or a set of receipts, and what must be found. */
export interface ReceiptVector {
  readonly name: string;
  readonly description: string;
  readonly input: VectorInput;
  readonly expect: {
    readonly verdict: VerdictWord;
    readonly valid: boolean;
    readonly findings: readonly Pick<Finding, "code" | "sequence" | "turn">[];
  };
}

export interface VectorInput {
  readonly keys: readonly PublicKey[];
  readonly production?: boolean;
  /** A run with its events, as it is exported. */
  readonly bundle?: unknown;
  /** Runs that started each other, with their events. */
  readonly tree?: readonly unknown[];
  /** Receipts alone. */
  readonly receipts?: readonly string[];
}

/** The expected findings of a case, by code, with the place if there is one. */
export type Expected = readonly Pick<Finding, "code" | "sequence" | "turn">[];

export function rejectVector(
  name: string,
  description: string,
  input: VectorInput,
  findings: Expected,
): ReceiptVector {
  return { name, description, input, expect: { verdict: "invalid", valid: false, findings } };
}

/** A receipt that was changed, and how that is found out. */
export interface SpoiledReceipt {
  readonly name: string;
  readonly description: string;
  readonly receipt: string;
  readonly code: Finding["code"];
}
