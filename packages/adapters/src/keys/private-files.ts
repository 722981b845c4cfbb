/**
 * Files that nobody but their owner may read.
 *
 * A file with too open permissions is refused and not tightened: others may have read it already.
 */
import { constants, promises } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "../durable-files.ts";
import { KeysError } from "./keys-error.ts";

const { chmod, mkdir, open, rename, stat } = promises;

/** Bits that a private folder or file must not have. */
const FOR_OTHERS = 0o077;

// Windows has no such bits: its files have the permissions of their folder.
const hasModes = process.platform !== "win32";

/** Makes the folder if it is not there, and checks that it is private. */
export async function openPrivateFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // The mask of the process may have taken bits away from what was just made.
  if (made !== undefined) await chmod(folder, 0o700);
  const { mode } = await stat(folder);
  if (hasModes && (mode & FOR_OTHERS) !== 0) throw tooOpen(folder, mode, "chmod 700");
}

/** The text of a private file, or undefined when there is none. */
export async function readPrivateFile(
  path: string,
  forbidden = FOR_OTHERS,
): Promise<string | undefined> {
  const file = await openToRead(path);
  if (file === undefined) return undefined;
  try {
    // The mode of the open file counts; the path may lead elsewhere now.
    const { mode } = await file.stat();
    if (hasModes && (mode & forbidden) !== 0) throw tooOpen(path, mode, "chmod 600");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function openToRead(path: string): Promise<promises.FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw new KeysError("KEYS_UNREADABLE", `${path} cannot be read`, error);
  }
}

/** Writes a private file as a whole: a reader sees what was there before, or all of this. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(join(path, ".."));
}

function tooOpen(path: string, mode: number, mend: string): KeysError {
  const shown = (mode & 0o777).toString(8).padStart(3, "0");
  return new KeysError(
    "KEYS_PERMISSIONS",
    `${path} is open to others (mode ${shown}): ${mend} ${path}, and rotate the keys`,
  );
}

/** True for an error of the file system with that code. */
export function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "code") === code;
}
