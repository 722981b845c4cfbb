/** What a verifier can find: a closed set, one code for each fault (spec/receipt.md §9). */
export const FINDING_CODES = [
  "RECEIPT_TOO_LARGE",
  "RECEIPT_MALFORMED",
  "RECEIPT_NOT_CANONICAL",
  "RECEIPT_TYPE_UNKNOWN",
  "SIGNATURE_MISSING",
  "SIGNATURE_INVALID",
  "KEY_MISMATCH",
  "KEY_UNKNOWN",
  "KEY_MISNAMED",
  "KEY_NOT_VALID_THEN",
  "KEY_ISSUER_MISMATCH",
  "KEY_DEVELOPMENT",
  "KEY_DEMO",
  "BUNDLE_MALFORMED",
  "EVENT_MALFORMED",
  "CHAIN_GAP",
  "CHAIN_PREVIOUS",
  "CHAIN_HASH",
  "CHAIN_RUN",
  "CHAIN_EPOCH",
  "TURN_ORDER",
  "STOP_ORDER",
  "RUN_UNSEALED",
  "TAIL_UNSEALED",
  "RECEIPT_MISSING",
  "RECEIPT_UNEXPECTED",
  "RECEIPT_DUPLICATE",
  "RECEIPT_MISMATCH",
  "RECEIPT_PREVIOUS",
  "RECEIPT_AHEAD",
  "GRANT_WIDENED",
  "PROOF_FORGED",
  "GUIDANCE_MISMATCH",
  "TRIGGER_MISMATCH",
  "EFFECT_WITHOUT_GRANT",
  "EFFECT_WITHOUT_CLAIM",
  "EFFECT_REPEATED",
  "HANDOFF_UNSEALED",
  "CACHE_MISUSED",
  "THREAD_MISMATCH",
  "ARTIFACT_MISMATCH",
  "APPROVAL_MISSING",
  "APPROVAL_MISMATCH",
  "APPROVAL_EXPIRED",
  "APPROVAL_REUSED",
  "APPROVAL_VOID",
  "BUDGET_ARITHMETIC",
  "BUDGET_EXCEEDED",
  "CONTENT_MISMATCH",
  "SET_DUPLICATE",
  "SET_MISSING",
  "SET_ORPHAN",
  "SET_PARENT_MISMATCH",
  "CHILD_MISSING",
  "CHILD_MISMATCH",
  "SET_CYCLE",
  "SET_TOO_DEEP",
  "SET_TOO_BROAD",
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export interface Finding extends FindingPlace {
  readonly code: FindingCode;
  /** One clause for a person. It never repeats text of what is verified. */
  readonly message: string;
}

/** Where a fault is. */
export interface FindingPlace {
  /** The first event that is wrong, where one is. */
  readonly sequence?: number;
  readonly turn?: number;
  /** The place of a receipt in what was given, from zero. */
  readonly receipt?: number;
  /** The run, where several are verified. */
  readonly run?: string;
}

export function finding(code: FindingCode, message: string, place: FindingPlace = {}): Finding {
  return { code, message, ...place };
}
