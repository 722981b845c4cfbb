/**
 * SHA-256, synchronous in Node and in a browser.
 *
 * WebCrypto's digest is asynchronous only, and an import of node:crypto would keep this package out
 * of browsers. So Node's own function is looked up by name if it exists, and the plain
 * implementation below serves elsewhere. Tests compare the two.
 */
interface NativeCrypto {
  hash(algorithm: "sha256", data: string | Uint8Array, encoding: "hex"): string;
}
interface NodeProcess {
  getBuiltinModule?(name: "node:crypto"): NativeCrypto | undefined;
}

const nodeProcess = (globalThis as { process?: NodeProcess }).process;
const native = nodeProcess?.getBuiltinModule?.("node:crypto");

/** The SHA-256 of UTF-8 text or of bytes, as lower-case hex. */
export const sha256Hex: (data: string | Uint8Array) => string = native
  ? (data) => native.hash("sha256", data, "hex")
  : plainSha256Hex;

// Written out: no standard promises that the roots of `Math` are exact, and one wrong bit would
// give a browser other digests than everybody else.

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: eight in a row, as the standard prints them.
export const SHA256_ROUNDS = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The same of the square roots of the first 8 primes. */
// biome-ignore format: as above.
export const SHA256_START = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/** The implementation for places without node:crypto. */
export function plainSha256Hex(data: string | Uint8Array): string {
  const message = padMessage(typeof data === "string" ? new TextEncoder().encode(data) : data);
  const view = new DataView(message.buffer);
  const state = Uint32Array.from(SHA256_START);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.length; offset += 64) {
    compressBlock(state, schedule, view, offset);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

function padMessage(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  return padded;
}

function compressBlock(
  state: Uint32Array,
  schedule: Uint32Array,
  view: DataView,
  offset: number,
): void {
  const at = (words: Uint32Array, index: number): number => words[index] ?? 0;
  for (let t = 0; t < 16; t++) schedule[t] = view.getUint32(offset + t * 4);
  for (let t = 16; t < 64; t++) {
    const w15 = at(schedule, t - 15);
    const w2 = at(schedule, t - 2);
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    schedule[t] = at(schedule, t - 16) + s0 + at(schedule, t - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + s1 + choice + at(SHA256_ROUNDS, t) + at(schedule, t)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e] = [g, f, e, (d + t1) >>> 0];
    [d, c, b, a] = [c, b, a, (t1 + s0 + majority) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = at(state, index) + word;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
