/** The longest time from choosing the signer to the time of the receipt. */
export const SEALING_MS_MAX = 60_000;

/** Signs receipts. The key stays behind this port. */
export interface Signer {
  /** MUST be the JWK thumbprint of the key's public half, so that no other key can have it. */
  readonly keyId: string;
  readonly issuer: "development" | "hosted" | "ci";
  /**
   * MUST answer with the 64 bytes of an Ed25519 signature over `data`, by the key that `keyId`
   * names. MUST leave `data` as it is, and MAY get several calls at once.
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
  /**
   * The signer of the key that signs at an instant, asked before each receipt is sealed. MUST NOT
   * answer with one whose key is not valid then, and for the next `SEALING_MS_MAX`; answers
   * undefined when there is none. Absent where the key has no end.
   */
  current?(nowMs: number): Promise<Signer | undefined>;
}
