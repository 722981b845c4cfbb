import type { FindingCode } from "../finding-codes.ts";

export { FINDING_CODES, type FindingCode } from "../finding-codes.ts";

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
  /** The position of a receipt in the input, from zero. */
  readonly receipt?: number;
  /** The run, where several are verified. */
  readonly run?: string;
}

export function finding(code: FindingCode, message: string, place: FindingPlace = {}): Finding {
  return { code, message, ...place };
}
