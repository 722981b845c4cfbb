/**
 * An evidence pack: a run as a folder of files that are read without us (spec/views.md §5).
 *
 * 1. The same run gives the same bytes. So a pack is checked by making it again from what it says:
 *    what differs by one byte is refused.
 * 2. Checksums find damaged files. Receipts find forged ones: a forger can change a file and its
 *    checksum, but cannot sign.
 */
import { createHash } from "node:crypto";
import {
  type BlobRef,
  canonicalize,
  isBlobRef,
  isPlainObject,
  type JsonValue,
} from "@turnseal/protocol";
import {
  type BundleContent,
  fromBase64,
  isRunBundle,
  type RunBundle,
  toBase64,
} from "@turnseal/protocol/receipts";

/** The files of a pack by their paths in it. */
export type PackFiles = ReadonlyMap<string, Uint8Array>;

/** The parts of a pack: a bundle, with the public keys that it names. */
export interface PackedRun extends RunBundle {
  readonly keys: readonly JsonValue[];
}

export type ParsedPack =
  | { readonly kind: "parsed"; readonly packed: PackedRun }
  | { readonly kind: "refused"; readonly message: string };

const FORMAT = "turnseal-evidence/v1";
const SUMS = "sha256sums";
const MANIFEST = "manifest.json";
const EVENTS = "events.ndjson";
const RECEIPTS = "receipts.ndjson";
const KEYS = "keys.json";
const CONTENT_KEY = "content-key";
const plain: ReadonlySet<string> = new Set([SUMS, MANIFEST, EVENTS, RECEIPTS, KEYS, CONTENT_KEY]);
const artifactPattern = /^artifacts\/[0-9a-f]{64}$/;
const digestPrefix = "hmac-sha256:";

/** True for the path of a file that a pack may have: no other is read or written. */
export function isPackPath(path: string): boolean {
  return plain.has(path) || artifactPattern.test(path);
}

/** The files of a run, in the order of their paths. */
export function renderPack(packed: PackedRun): PackFiles {
  const { content } = packed;
  const files = new Map<string, Uint8Array>([
    [EVENTS, toLines(packed.events)],
    [RECEIPTS, toLines(packed.receipts)],
    [KEYS, encode(`${canonicalize(packed.keys)}\n`)],
    [MANIFEST, encode(`${canonicalize(describe(packed))}\n`)],
  ]);
  for (const [digest, text] of Object.entries(content?.blobs ?? {}))
    files.set(pathOf(digest), fromBase64(text) ?? new Uint8Array());
  if (content !== undefined) files.set(CONTENT_KEY, encode(`${content.key}\n`));
  const sums = [...files.keys()].toSorted().map((path) => `${sum(files.get(path))}  ${path}\n`);
  return new Map([...files, [SUMS, encode(sums.join(""))] as const].toSorted(byPath));
}

function describe({ run, events, receipts, content }: PackedRun): JsonValue {
  const blobs = Object.keys(content?.blobs ?? {}).toSorted();
  return {
    ...{ format: FORMAT, run, events: events.length, receipts: receipts.length },
    content: content !== undefined,
    artifacts: blobs.map((digest) => ({ digest, path: pathOf(digest) })),
  };
}

/** Reads untrusted files as a pack. A verifier judges its content. */
export function parsePack(files: PackFiles): ParsedPack {
  const wrong = findWrongSum(files);
  if (wrong !== undefined) return { kind: "refused", message: wrong };
  const read = readPacked(files);
  if (read === undefined)
    return { kind: "refused", message: "its files are not those of an evidence pack" };
  const { packed, again } = read;
  for (const path of new Set([...again.keys(), ...files.keys()])) {
    const [own, made] = [files.get(path), again.get(path)];
    if (own === undefined || made === undefined || Buffer.compare(own, made) !== 0)
      return { kind: "refused", message: `${path} is not what the rest of the pack makes it` };
  }
  const stray = findStray(packed);
  return stray === undefined ? { kind: "parsed", packed } : { kind: "refused", message: stray };
}

/**
 * Finds an artifact that no event names, or a named one that is missing. With a key of its own, any
 * content can fit its digest: only the sealed events say what belongs to the run.
 */
function findStray({ events, content }: PackedRun): string | undefined {
  if (content === undefined) return undefined;
  const named = new Set<string>();
  noteDigests(events as readonly JsonValue[], named);
  const unnamed = Object.keys(content.blobs).find((digest) => !named.has(digest));
  if (unnamed !== undefined) return `${pathOf(unnamed)} is named by no event`;
  const missing = [...named].find((digest) => !Object.hasOwn(content.blobs, digest));
  return missing === undefined ? undefined : `${pathOf(missing)} is named by an event, and missing`;
}

/**
 * The artifacts that only events after the last sealed one name. Each pack has the key of its
 * content, so its owner can add such an event, and a text for it.
 */
export function listUnsealedArtifacts(
  { events, content }: Pick<RunBundle, "events" | "content">,
  sealedUntil: number,
): readonly string[] {
  if (content === undefined) return [];
  const sealed = new Set<string>();
  noteDigests(events.slice(0, sealedUntil) as readonly JsonValue[], sealed);
  return Object.keys(content.blobs)
    .filter((digest) => !sealed.has(digest))
    .map(pathOf)
    .toSorted();
}

/** Events are shallow: their parser bounds the depth. */
function noteDigests(value: JsonValue, named: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (isBlobRef(value)) named.add((value as unknown as BlobRef).digest);
  for (const part of Object.values(value)) noteDigests(part as JsonValue, named);
}

const linePattern = /^([0-9a-f]{64}) {2}(.+)$/;

/** Compares the checksums and the files, in both directions. */
function findWrongSum(files: PackFiles): string | undefined {
  const text = decode(files.get(SUMS));
  if (text === undefined) return `${SUMS} is missing`;
  const listed = new Set<string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, wanted, path = ""] = linePattern.exec(line) ?? [];
    if (wanted === undefined) return `${SUMS} has a line that is none: ${line.slice(0, 100)}`;
    if (!isPackPath(path)) return `${SUMS} names a path outside of the pack: ${path.slice(0, 100)}`;
    if (!files.has(path)) return `${path} is missing`;
    if (sum(files.get(path)) !== wanted) return `${path} is not what ${SUMS} says`;
    listed.add(path);
  }
  const unlisted = [...files.keys()].find((path) => path !== SUMS && !listed.has(path));
  return unlisted === undefined ? undefined : `${unlisted} is not in ${SUMS}`;
}

interface ReadPack {
  readonly packed: PackedRun;
  /** The files that it makes. */
  readonly again: PackFiles;
}

function readPacked(files: PackFiles): ReadPack | undefined {
  try {
    const manifest = parse(files.get(MANIFEST));
    const keys = parse(files.get(KEYS));
    if (!isPlainObject(manifest) || !Array.isArray(keys)) return undefined;
    const content = readContent(files);
    const bundle = {
      run: manifest["run"],
      events: parseLines(files.get(EVENTS)),
      receipts: parseLines(files.get(RECEIPTS)),
      ...(content === undefined ? {} : { content }),
    };
    if (!isRunBundle(bundle)) return undefined;
    const packed = { ...bundle, keys: keys as JsonValue[] };
    return { packed, again: renderPack(packed) };
  } catch {
    // Something is no JSON, or is nothing that has a canonical form.
    return undefined;
  }
}

function readContent(files: PackFiles): BundleContent | undefined {
  const key = decode(files.get(CONTENT_KEY));
  if (key === undefined) return undefined;
  const blobs: Record<string, string> = {};
  for (const [path, bytes] of files)
    if (artifactPattern.test(path))
      blobs[`${digestPrefix}${path.slice("artifacts/".length)}`] = toBase64(bytes);
  return { key: key.trimEnd(), blobs };
}

function pathOf(digest: string): string {
  return `artifacts/${digest.slice(digestPrefix.length)}`;
}

function toLines(values: readonly unknown[]): Uint8Array {
  return encode(values.map((value) => `${canonicalize(value)}\n`).join(""));
}

function parseLines(bytes: Uint8Array | undefined): unknown[] {
  const lines = decode(bytes)?.split("\n").slice(0, -1) ?? [];
  return lines.map((line) => JSON.parse(line) as unknown);
}

function parse(bytes: Uint8Array | undefined): unknown {
  return JSON.parse(decode(bytes) ?? "");
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function sum(bytes: Uint8Array | undefined): string {
  return createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
