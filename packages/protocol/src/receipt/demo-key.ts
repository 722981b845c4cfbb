import type { PublicKey } from "./public-key.ts";

/**
 * The key of the examples. Its seed is published, 32 times the byte 0x42, so anyone can sign with
 * it. It shows how receipts verify, and production refuses it under any key set.
 */
export const DEMO_KEY: PublicKey = {
  keyId: "nEArpjG3kYMcxbdzInyGlBEYQUw7RfAfe3Tw1fZvAA0",
  x: "IVL40Zt5HSRFMkLhXy6rbLfP-ntqXtMAl5YOBpiB2xI",
  issuer: "development",
  validFrom: "2026-01-01T00:00:00.000Z",
};
