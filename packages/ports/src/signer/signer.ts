/** Signs receipts. The key stays behind this port. */
export interface Signer {
  /** MUST be the JWK thumbprint of the key's public half, so that no other key can have it. */
  readonly keyId: string;
  readonly issuer: "development" | "hosted" | "ci";
  /**
   * MUST answer with the 64 bytes of an Ed25519 signature over `data`, by the key that `keyId`
   * names. MUST leave `data` as it is, and MAY be asked for several at once.
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}
