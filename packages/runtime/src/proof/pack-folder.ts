/** An evidence pack on a disk: written whole, and read within limits. */
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
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

/** Reads a folder as a pack. Nothing is read that is no file of a pack, and not too much. */
export async function readPack(folder: string): Promise<ParsedPack> {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const path of await listPaths(folder)) {
    const stats = await lstat(join(folder, path));
    bytes += stats.size;
    const message =
      findStrange(path, stats.isFile()) ?? findExcess({ files: files.size + 1, bytes });
    if (message !== undefined) return { kind: "refused", message };
    files.set(path, await readFile(join(folder, path)));
  }
  return parsePack(files);
}

/** A link is no file, wherever it leads. */
function findStrange(path: string, isFile: boolean): string | undefined {
  if (!isPackPath(path)) return `${path} is not part of an evidence pack`;
  return isFile ? undefined : `${path} is not a file`;
}

/** What is too much of a pack. */
export function findExcess(found: {
  readonly files: number;
  readonly bytes: number;
}): string | undefined {
  if (found.files > PACK_FILES_MAX) return `it has more than ${PACK_FILES_MAX} files`;
  return found.bytes > PACK_BYTES_MAX ? `it is larger than ${PACK_BYTES_MAX} bytes` : undefined;
}

/** The paths in a folder and in its `artifacts`; whatever lies deeper is named by its folder. */
async function listPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const artifacts = join(folder, "artifacts");
  if (!names.includes("artifacts") || !(await lstat(artifacts)).isDirectory()) return names;
  const below = (await readdir(artifacts)).map((name) => `artifacts/${name}`);
  return [...names.filter((name) => name !== "artifacts"), ...below];
}
