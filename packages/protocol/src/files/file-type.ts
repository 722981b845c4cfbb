/**
 * The types of files, and the check of bytes against the claimed type.
 *
 * 1. A type that is not in the list is refused, and so are bytes that do not begin as their type
 *    does: what is declared is never believed.
 * 2. The first bytes of an image have its decoded size. An image that is too large to decode, or
 *    without a size, is refused. This code never decodes one.
 */
import { FILE_BYTES_MAX, FILE_PIXELS_MAX } from "./file-limits.ts";
import { measureGif, measureJpeg, measurePng, measureWebp, type Pixels } from "./image-size.ts";

export const FILE_REFUSALS = [
  "file-empty",
  "file-too-large",
  "type-unknown",
  "type-false",
  "image-unreadable",
  "image-too-large",
] as const;
export type FileRefusal = (typeof FILE_REFUSALS)[number];

interface FileKind {
  /** True for bytes that begin as a file of this type does; `HEAD_BYTES` are enough. */
  begins(bytes: Uint8Array): boolean;
  /** For an image: how large it says it is. */
  measure?(bytes: Uint8Array): Pixels | undefined;
}

/** The most bytes that identify the type of a file. */
export const HEAD_BYTES = 16;

const KINDS: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  [
    "image/png",
    {
      begins: (bytes) => hasBytes(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      measure: measurePng,
    },
  ],
  [
    "image/jpeg",
    { begins: (bytes) => hasBytes(bytes, 0, [0xff, 0xd8, 0xff]), measure: measureJpeg },
  ],
  [
    "image/gif",
    {
      begins: (bytes) => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"),
      measure: measureGif,
    },
  ],
  [
    "image/webp",
    {
      begins: (bytes) => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP"),
      measure: measureWebp,
    },
  ],
  ["application/pdf", { begins: (bytes) => hasText(bytes, 0, "%PDF-") }],
  ["audio/wav", { begins: (bytes) => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WAVE") }],
  ["audio/mpeg", { begins: (bytes) => hasText(bytes, 0, "ID3") || isMp3Frame(bytes) }],
]);

/** The types that a file may have. */
export const FILE_TYPES: readonly string[] = [...KINDS.keys()];

export function isFileType(mediaType: unknown): mediaType is string {
  return typeof mediaType === "string" && KINDS.has(mediaType);
}

/** The type that bytes begin as, or undefined. */
export function findFileType(head: Uint8Array): string | undefined {
  for (const [type, { begins }] of KINDS) if (begins(head)) return type;
  return undefined;
}

/** The fault of a file's first bytes; undefined if there is none. */
export function checkFileHead(head: Uint8Array, mediaType: string): FileRefusal | undefined {
  const kind = KINDS.get(mediaType);
  if (kind === undefined) return "type-unknown";
  return kind.begins(head) ? undefined : "type-false";
}

/** The fault of a file of this type; undefined if there is none. */
export function checkFile(bytes: Uint8Array, mediaType: string): FileRefusal | undefined {
  if (bytes.length === 0) return "file-empty";
  if (bytes.length > FILE_BYTES_MAX) return "file-too-large";
  const refusal = checkFileHead(bytes, mediaType);
  const measure = KINDS.get(mediaType)?.measure;
  if (refusal !== undefined || measure === undefined) return refusal;
  const pixels = measure(bytes);
  if (pixels === undefined || pixels.width === 0 || pixels.height === 0) return "image-unreadable";
  return pixels.width * pixels.height > FILE_PIXELS_MAX ? "image-too-large" : undefined;
}

/** True if a pattern such as `image/*` or `application/pdf` has a type. */
export function takesType(patterns: readonly string[], mediaType: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === mediaType ||
      (pattern.endsWith("/*") && mediaType.startsWith(pattern.slice(0, -1))),
  );
}

function hasBytes(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

/** The first frame of MPEG audio, layer III, with a rate that there is. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isLayer3 = (second & 0xe6) === 0xe2;
  return first === 0xff && isLayer3 && third >> 4 !== 0xf && ((third >> 2) & 3) !== 3;
}
