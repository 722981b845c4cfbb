import type { LoopEvent } from "@turnseal/protocol";

/**
 * Watches runs and changes nothing. It MAY throw, reject or never resolve: no run fails or waits
 * because of it.
 */
export interface Observer {
  /** Names it in logs, and in the outbox. MUST stay the same between processes. */
  readonly name: string;
  /**
   * Hears each event of this process once it is durable, in order. MUST return at once. An event is
   * missed if the process dies between its append and this call.
   */
  onEvent?(event: LoopEvent, of: ObservedRun): void;
  /**
   * Hears of each receipt at least once, also after a kill. It has heard of a receipt when it
   * returns, or its promise resolves; until then the outbox keeps the receipt. MUST have the same
   * effect if it hears of a receipt again: `id` is the same each time.
   */
  onReceiptSealed?(receipt: ObservedReceipt): void | Promise<void>;
}

export interface ObservedRun {
  readonly tenant: string;
  /** The loop of the run, where it is known. */
  readonly loop?: string;
}

/** A sealed receipt, by reference: the receipt itself is in the store. */
export interface SealedReceipt {
  readonly run: string;
  readonly turn: number;
  /** The digest of the signed statement. */
  readonly id: string;
}

export interface ObservedReceipt extends SealedReceipt {
  readonly tenant: string;
}
