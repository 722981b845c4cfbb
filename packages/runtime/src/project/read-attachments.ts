/** The files of `--attach`, and where the input names them. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { FilesToAttach } from "@turnseal/host";
import type { FileToTake } from "@turnseal/ports";
import { type LoopDef, parsePointer, readPointer } from "@turnseal/protocol";
import { FILE_BYTES_MAX, FILE_TYPES, findFileType, isFileName } from "@turnseal/protocol/files";

export type ReadAttachments =
  | { readonly kind: "read"; readonly files?: FilesToAttach }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/**
 * Each is a path, or a place in the input and a path: `/photo=x.png`. Without a place, the file
 * goes to the one that the loop declares.
 */
export async function readAttachments(
  given: readonly string[],
  definition: LoopDef,
): Promise<ReadAttachments> {
  if (given.length === 0) return { kind: "read" };
  const places = new Map<string, FileToTake[]>();
  for (const attached of given) {
    const place = findPlace(attached, definition);
    if (place === undefined) return unusable(attached, describeFields(definition), definition);
    const file = await readFile(place.path);
    if (typeof file === "string") return unusable(attached, file, definition);
    places.set(place.pointer, [...(places.get(place.pointer) ?? []), file]);
  }
  const files = [...places].map(([pointer, list]) => {
    const [only, ...more] = list;
    const isList = more.length > 0 || only === undefined || takesList(pointer, definition);
    return [pointer, isList ? list : only] as const;
  });
  return { kind: "read", files: Object.fromEntries(files) };
}

function describeFields({ id, prompt }: LoopDef): string {
  const fields = prompt?.files ?? [];
  return fields.length === 0
    ? `${id} declares no field for files (prompt.files)`
    : `${id} has several fields for files, so name one of ${fields.join(", ")}`;
}

interface Place {
  readonly pointer: string;
  readonly path: string;
}

function findPlace(attached: string, { prompt }: LoopDef): Place | undefined {
  const declared = prompt?.files ?? [];
  const at = attached.indexOf("=");
  const pointer = attached.slice(0, at);
  // A path may have the sign, too: then the text before it is no place of this loop.
  const isPlace = declared.includes(pointer) || (declared.length === 0 && pointer.startsWith("/"));
  if (at > 0 && isPlace && parsePointer(pointer) !== undefined)
    return { pointer, path: attached.slice(at + 1) };
  const [only] = declared;
  return declared.length === 1 && only !== undefined
    ? { pointer: only, path: attached }
    : undefined;
}

/** True if the schema of the input wants a list there. */
function takesList(pointer: string, { inputSchema }: LoopDef): boolean {
  const keys = (parsePointer(pointer) ?? []).flatMap((key) => ["properties", key]);
  return readPointer(inputSchema, [...keys, "type"]) === "array";
}

/** The file, or its problem. A file that is too large is not read. */
async function readFile(path: string): Promise<FileToTake | string> {
  const name = basename(path);
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > FILE_BYTES_MAX) return `it has more than ${FILE_BYTES_MAX} bytes`;
    const bytes = new Uint8Array(await file.readFile());
    const mediaType = findFileType(bytes);
    if (mediaType === undefined) return `it is none of ${FILE_TYPES.join(", ")}`;
    return { bytes, mediaType, ...(isFileName(name) ? { name } : {}) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return `it cannot be read (${code})`;
  }
}

function unusable(attached: string, why: string, { id, prompt }: LoopDef): ReadAttachments {
  const [field] = prompt?.files ?? [];
  const next =
    field === undefined ? `turnseal loops ${id}` : `turnseal run ${id} --attach ${field}=<file>`;
  return { kind: "unusable", message: `${attached} cannot be attached: ${why}`, next };
}
