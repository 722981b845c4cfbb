/** An evidence pack on a disk: written whole, and read within limits. */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPackPath, type PackFiles, type ParsedPack, parsePack } from "./evidence-pack.ts";

/** Files of a pack that is read, and their bytes together. */
export const PACK_FILES_MAX = 100_000;
export const PACK_BYTES_MAX = 256 * 1024 * 1024;

/** True for a folder that says it is a pack. */
export function isPack(folder: string): boolean {
  return existsSync(join(folder, "manifest.json")) || existsSync(join(folder, "sha256sums"));
}

/** Writes a pack into a folder that is not there yet: it may hold content, and the key to it. */
export async function writePack(folder: string, files: PackFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { mode: 0o700, recursive: true });
    await writeFile(join(folder, path), bytes, { flag: "wx", mode: 0o600 });
  }
}

/** Reads a folder as a pack. It reads only files of a pack, up to its limits. */
export async function readPack(folder: string): Promise<ParsedPack> {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const path of await listPaths(folder)) {
    if (!isPackPath(path)) return refuse(`${path} is not part of an evidence pack`);
    const read = await readWithin(join(folder, path), { files: files.size + 1, bytes });
    if (read === undefined) return refuse(`${path} is not a file`);
    if (typeof read === "string") return refuse(read);
    bytes += read.length;
    files.set(path, read);
  }
  return parsePack(files);
}

/** A link, and what is no file that could be opened. */
const STRANGE_CODES: ReadonlySet<unknown> = new Set(["ELOOP", "EMLINK", "ENXIO"]);

/**
 * Reads the open file and no other: a concurrent change of the folder leads to no other file, and
 * to no larger one. Undefined if it is no file: a link is none. A text names the limit that it
 * exceeds.
 */
async function readWithin(path: string, before: Found): Promise<Uint8Array | string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    // Opening a pipe must not wait for its writer.
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && STRANGE_CODES.has(error.code))
      return undefined;
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const excess = findExcess({ ...before, bytes: before.bytes + stats.size });
    if (excess !== undefined) return excess;
    const bytes = new Uint8Array(stats.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

function refuse(message: string): ParsedPack {
  return { kind: "refused", message };
}

interface Found {
  readonly files: number;
  readonly bytes: number;
}

/** Names the limit that a pack exceeds. */
export function findExcess(found: Found): string | undefined {
  if (found.files > PACK_FILES_MAX) return `it has more than ${PACK_FILES_MAX} files`;
  return found.bytes > PACK_BYTES_MAX ? `it is larger than ${PACK_BYTES_MAX} bytes` : undefined;
}

/** The paths in a folder and in its `artifacts`; deeper files appear as their folder. */
async function listPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const artifacts = join(folder, "artifacts");
  if (!names.includes("artifacts") || !(await lstat(artifacts)).isDirectory()) return names;
  const below = (await readdir(artifacts)).map((name) => `artifacts/${name}`);
  return [...names.filter((name) => name !== "artifacts"), ...below];
}
