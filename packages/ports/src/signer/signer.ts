/** Signs receipts. The key stays behind this port. */
export interface Signer {
  readonly keyId: string;
  readonly issuer: "development" | "hosted" | "ci";
  /**
   * MUST answer with the 64 bytes of an Ed25519 signature over `data`, by the key that `keyId`
   * names.
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}
