/**
 * Makes one file what it is to become, or leaves it and says why.
 *
 * An error of a folder never breaks off the settlement. If a disk is full or unreadable, the file
 * is left, and the person who answered learns of it.
 */
import { holdBlobs } from "@turnseal/kernel";
import type { FileRoot, Stores } from "@turnseal/ports";
import { type FileState, isSameFile, type ReconciledFile } from "@turnseal/protocol/artifact";
import { withMode } from "./file-parts.ts";

export interface FilePlace {
  readonly run: string;
  readonly stores: Pick<Stores, "blobs">;
  readonly files: FileRoot;
}

export type SettledFile =
  /** The state that is there, and recorded from now on; null if there is no file. */
  | { readonly kind: "settled"; readonly state: FileState | null }
  | { readonly kind: "left"; readonly why: string };

export const CHANGED_AGAIN = "the files have changed again";
export const NOT_KEPT = "the content that is needed for it is gone or is not what was stored";

export async function settleFile(file: ReconciledFile, place: FilePlace): Promise<SettledFile> {
  const { path, seen, becomes } = file;
  const now = await stateAt(place.files, path);
  if (now.kind === "unread") return left(`a file cannot be read: ${now.why}`);
  if (now.kind === "file" && isSameFile(now.state, becomes))
    return { kind: "settled", state: toRecord(now.state, file) };
  // A link or a folder in its place is no file, and stays.
  if (becomes === null)
    return now.kind === "no-file" ? { kind: "settled", state: null } : left(CHANGED_AGAIN);
  if (now.kind === "no-file" || !isSameFile(now.state, seen)) return left(CHANGED_AGAIN);
  const { read } = holdBlobs(place.stores.blobs);
  // A file is overwritten only if its content is stored in the run.
  const isKept = seen === null || (await read(place.run, seen.digest)) !== undefined;
  const bytes = await read(place.run, becomes.digest);
  if (!isKept || bytes === undefined) return left(NOT_KEPT);
  return write(file, { bytes, becomes }, place);
}

async function write(
  file: ReconciledFile,
  { bytes, becomes }: { readonly bytes: Uint8Array; readonly becomes: FileState },
  { files }: FilePlace,
): Promise<SettledFile> {
  const { path, seen } = file;
  try {
    const made = withMode(bytes, becomes.mode);
    const change = await files.write(path, made, seen?.digest ?? "absent");
    switch (change.kind) {
      case "done":
        return { kind: "settled", state: toRecord(change.state ?? becomes, file) };
      case "changed":
        return left(CHANGED_AGAIN);
      case "refused":
        return left(`a file cannot be written: ${change.reason}`);
    }
  } catch (error) {
    return left(`a file cannot be written: ${causeOf(error)}`);
  }
}

/**
 * Records the state that was found or made, not the one in the plan; but an unchanged record also
 * keeps its mode, which some platforms cannot report.
 */
function toRecord(
  there: FileState | null,
  { recorded, becomes }: ReconciledFile,
): FileState | null {
  return isSameFile(becomes, recorded) && isSameFile(there, recorded) ? recorded : there;
}

function left(why: string): SettledFile {
  return { kind: "left", why };
}

type Found =
  | { readonly kind: "file"; readonly state: FileState | null }
  | { readonly kind: "no-file" }
  | { readonly kind: "unread"; readonly why: string };

/** Returns the state at a path: a file, nothing (null), or something else than a file. */
async function stateAt(files: FileRoot, path: string): Promise<Found> {
  try {
    const read = await files.read(path);
    if (read.kind === "read") return { kind: "file", state: read.state };
    switch (read.reason) {
      case "absent":
        return { kind: "file", state: null };
      case "link":
      case "no-file":
        return { kind: "no-file" };
      case "changing":
      case "denied":
      case "too-large":
        return { kind: "unread", why: read.reason };
    }
  } catch (error) {
    return { kind: "unread", why: causeOf(error) };
  }
}

/** The name that a system has for a failure; its words may hold paths, and are not repeated. */
export function causeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,31}$/.test(code) ? code : "error";
}
