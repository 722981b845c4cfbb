/** Time, for everything that must not read it by itself. */
export interface Clock {
  /**
   * Milliseconds since the Unix epoch; MUST be a safe integer. It MAY go backwards: nobody may rely
   * on order.
   */
  now(): number;

  /**
   * Calls `callback` once, `delayMs` from now or later; MUST NOT call it before this function has
   * returned. The answer cancels: after it `callback` MUST NOT be called.
   */
  after(delayMs: number, callback: () => void): () => void;
}
