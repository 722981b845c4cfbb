/**
 * SHA-256, synchronous in Node and in a browser.
 *
 * WebCrypto's digest is asynchronous only, and an import of node:crypto would keep this package out
 * of browsers. So Node's own is asked for by name where it exists, and the plain implementation
 * below serves elsewhere. Tests hold the two together.
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

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the
// square roots of the first 8.
const { roundConstants, initialState } = deriveConstants();

/** The implementation for places without node:crypto. */
export function plainSha256Hex(data: string | Uint8Array): string {
  const message = padMessage(typeof data === "string" ? new TextEncoder().encode(data) : data);
  const view = new DataView(message.buffer);
  const state = Uint32Array.from(initialState);
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
    const t1 = (h + s1 + choice + at(roundConstants, t) + at(schedule, t)) >>> 0;
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

function deriveConstants(): { roundConstants: Uint32Array; initialState: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    roundConstants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    initialState: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
