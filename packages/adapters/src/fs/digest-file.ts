/** The state of a file, from its bytes, and a cheap check that they are still the same. */
import type { promises } from "node:fs";
import { join } from "node:path";
import { type Digester, type FileRead, ROOT_FILE_BYTES_MAX } from "@turnseal/ports";
import type { FileState, ObservedEntry } from "@turnseal/protocol/artifact";
import { type FileMark, isSameMark, modeOf, toMark } from "./file-mark.ts";
import { readSmall } from "./read-small.ts";
import {
  type HeldFolder,
  type OpenedFile,
  type OpenRefusal,
  openFile,
  openHeld,
} from "./root-place.ts";

/** How often a file is read again that changes meanwhile. */
const READ_TRIES_MAX = 3;
const PART_BYTES = 64 * 1024;
export type DigestedFile =
  | { readonly kind: "file"; readonly state: FileState; readonly mark: FileMark }
  | { readonly kind: "refused"; readonly reason: OpenRefusal };

/** Takes the digest of a file, of one moment: what changes meanwhile is read again, a few times. */
export async function digestFile(
  root: string,
  path: string,
  createDigester: () => Digester,
): Promise<DigestedFile> {
  return digestOpened(() => openFile(root, path), createDigester);
}

/** The same of a name in a folder that is held. */
export async function digestHeld(
  folder: HeldFolder,
  name: string,
  createDigester: () => Digester,
): Promise<DigestedFile> {
  return digestOpened(() => openHeld(folder, name), createDigester);
}

async function digestOpened(
  open: () => Promise<OpenedFile>,
  createDigester: () => Digester,
): Promise<DigestedFile> {
  const seen = await readSteadily(open, async (handle, { size }) => {
    const digester = createDigester();
    const part = new Uint8Array(PART_BYTES);
    let bytes = 0;
    // A file that grows as fast as it is read has no end: it has changed, and that is all.
    while (bytes <= size) {
      const { bytesRead } = await handle.read(part, 0, PART_BYTES, bytes);
      if (bytesRead === 0) break;
      digester.update(part.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    return { digest: digester.digest(), bytes };
  });
  if (seen.kind === "refused") return seen;
  return { kind: "file", state: { ...seen.value, ...modeOf(seen.mark) }, mark: seen.mark };
}

/** Reads a file whole. */
export async function readWhole(
  root: string,
  path: string,
  createDigester: () => Digester,
): Promise<FileRead> {
  const small = readSmall(join(root, path));
  if (small !== undefined) return toRead(small.bytes, small.mark, createDigester);
  const open = () => openFile(root, path);
  const seen = await readSteadily(open, async (handle, { size }) => {
    if (size > ROOT_FILE_BYTES_MAX) return undefined;
    // One byte more shows whether the file grew.
    const bytes = new Uint8Array(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.slice(0, length);
  });
  if (seen.kind === "refused") return seen;
  if (seen.value === undefined) return { kind: "refused", reason: "too-large" };
  return toRead(seen.value, seen.mark, createDigester);
}

function toRead(bytes: Uint8Array, mark: FileMark, createDigester: () => Digester): FileRead {
  const digester = createDigester();
  digester.update(bytes);
  const state = { digest: digester.digest(), bytes: bytes.length, ...modeOf(mark) };
  return { kind: "read", bytes, state };
}

type Seen<Value> =
  | { readonly kind: "seen"; readonly value: Value; readonly mark: FileMark }
  | { readonly kind: "refused"; readonly reason: OpenRefusal };

async function readSteadily<Value>(
  open: () => Promise<OpenedFile>,
  read: (handle: promises.FileHandle, mark: FileMark) => Promise<Value>,
): Promise<Seen<Value>> {
  for (let tries = 0; tries < READ_TRIES_MAX; tries++) {
    const opened = await open();
    if (opened.kind === "refused") {
      if (opened.reason === "changing") continue;
      return opened;
    }
    const { handle } = opened;
    try {
      const before = await handle.stat();
      const value = await read(handle, before);
      const after = await handle.stat();
      if (isSameMark(before, after)) return { kind: "seen", value, mark: toMark(before) };
    } finally {
      await handle.close();
    }
  }
  return { kind: "refused", reason: "changing" };
}

/** The entry of a scan for a file that could not be read; empty for a missing file. */
export function toEntry(path: string, reason: OpenRefusal): readonly ObservedEntry[] {
  if (reason === "absent") return [];
  if (reason === "link") return [{ kind: "link", path }];
  if (reason === "no-file") return [{ kind: "special", path }];
  return [{ kind: "unread", path, reason }];
}
