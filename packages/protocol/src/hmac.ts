/** HMAC-SHA256 (RFC 2104) over the same SHA-256, so that it is synchronous everywhere. */
import { sha256Hex } from "./sha256.ts";

const BLOCK_BYTES = 64;
const CODE_OF_ZERO = 48;
const CODE_OF_A = 97;

/**
 * The HMAC of `data` under `key`, as lower-case hex. Keys longer than a block are refused: ours are
 * 32 bytes.
 */
export function hmacSha256Hex(key: Uint8Array, data: Uint8Array): string {
  if (key.length > BLOCK_BYTES) throw new RangeError("the key is longer than a block");
  const inner = sha256Hex(prefixPad(key, 0x36, data));
  return sha256Hex(prefixPad(key, 0x5c, fromHex(inner)));
}

/** The key, filled up to a block and masked, and the data after it. */
function prefixPad(key: Uint8Array, mask: number, data: Uint8Array): Uint8Array {
  const joined = new Uint8Array(BLOCK_BYTES + data.length).fill(mask, key.length, BLOCK_BYTES);
  for (let index = 0; index < key.length; index++) joined[index] = (key[index] ?? 0) ^ mask;
  joined.set(data, BLOCK_BYTES);
  return joined;
}

/** Bytes from lower-case hex. */
export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = (digitAt(hex, 2 * index) << 4) | digitAt(hex, 2 * index + 1);
  }
  return bytes;
}

/** By its code: every content of a run comes past here, and parsing slices of text is slow. */
function digitAt(hex: string, index: number): number {
  const code = hex.charCodeAt(index);
  return code < CODE_OF_A ? code - CODE_OF_ZERO : code - CODE_OF_A + 10;
}
