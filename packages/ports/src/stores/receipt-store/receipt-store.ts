import type { Envelope } from "@turnseal/protocol/receipts";

/**
 * Signed receipts, one for each closed turn. They are written with the event that closes the turn,
 * never apart.
 */
export interface ReceiptStore {
  /** The receipt of a turn; MUST NOT change once it is there. */
  read(run: string, turn: number): Promise<StoredReceipt | undefined>;
  /** Receipts in order of turns, at most `limit` from turn `from` on. */
  list(run: string, from: number, limit?: number): Promise<readonly StoredReceipt[]>;
}

/** The most receipts that one list answers. */
export const LIST_RECEIPTS_MAX = 1_000;

export interface StoredReceipt {
  readonly run: string;
  readonly turn: number;
  /** The digest of the signed statement. */
  readonly id: string;
  readonly envelope: Envelope;
}
