import type { SealedReceipt } from "../../observer/observer.ts";

/**
 * Sealed receipts that observers have not acknowledged: one row for each observer that the append
 * of a receipt names (`Append.observers`), in the same transaction.
 */
export interface Outbox {
  /**
   * The rows of an observer by run and turn, after the given one, at most `OUTBOX_READ_MAX`. MUST
   * include each row that was not acknowledged, also one of another process.
   */
  list(
    observer: string,
    after?: Pick<SealedReceipt, "run" | "turn">,
  ): Promise<readonly SealedReceipt[]>;

  /** Removes the row of a receipt; does nothing where there is none. */
  acknowledge(observer: string, receipt: Pick<SealedReceipt, "run" | "turn">): Promise<void>;
}

/** The most rows that one list answers. */
export const OUTBOX_READ_MAX = 100;
