/**
 * The place of a root, and how its files are opened without ever reaching outside.
 *
 * 1. No link is followed, at the end of a path or on the way.
 * 2. The place of a file is checked after it is open. So a folder that was exchanged in between
 *    leads nowhere.
 * 3. For changes each folder on the way is held open, and the next name is looked up in it. The
 *    root itself is where it was bound before anything is made in it.
 */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  openSync,
  promises,
  readdirSync,
  readlinkSync,
} from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../if-there.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** The platform's list of a process's open files, as on Linux. */
export const OPEN_FILES = existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

export type OpenRefusal = "absent" | "changing" | "denied" | "link" | "no-file";
export type OpenedFile =
  | { readonly kind: "open"; readonly handle: promises.FileHandle }
  | { readonly kind: "refused"; readonly reason: OpenRefusal };

/** Opens a regular file for reading. The caller closes it. */
export async function openFile(root: string, path: string): Promise<OpenedFile> {
  const full = join(root, path);
  let handle: promises.FileHandle;
  try {
    // Without waiting: a pipe in the place of a file would never be opened.
    handle = await promises.open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const refusal = toRefusal(systemCodeOf(error));
    const isLinked = refusal === "absent" && hasLinkOnTheWay(root, path);
    return { kind: "refused", reason: isLinked ? "link" : refusal };
  }
  const reason = await findWrongPlace(handle, full);
  if (reason === undefined) return { kind: "open", handle };
  await handle.close();
  return { kind: "refused", reason };
}

async function findWrongPlace(
  handle: promises.FileHandle,
  full: string,
): Promise<OpenRefusal | undefined> {
  const opened = await handle.stat();
  if (!opened.isFile()) return "no-file";
  if (OPEN_FILES !== undefined) {
    const place = await promises.readlink(`${OPEN_FILES}/${handle.fd}`);
    if (place === full) return undefined;
    // A file that was removed or renamed since then also has another place, and is read again.
    return place.endsWith(" (deleted)") ? "changing" : "link";
  }
  try {
    const there = await promises.stat(full);
    if ((await promises.realpath(full)) !== full) return "link";
    return there.ino === opened.ino && there.dev === opened.dev ? undefined : "changing";
  } catch (error) {
    return toRefusal(systemCodeOf(error));
  }
}

export function toRefusal(code: string): OpenRefusal {
  if (code === "ENOENT") return "absent";
  // A name on the way that is no folder: there is no such file.
  if (code === "ENOTDIR") return "absent";
  if (code === "ELOOP" || code === "EMLINK") return "link";
  return isDeniedCode(code) ? "denied" : "no-file";
}

/** Names that are too long for this file system count as denied. */
export function isDeniedCode(code: string): boolean {
  return ["EACCES", "EPERM", "EROFS", "ENAMETOOLONG"].includes(code);
}

/** True where a folder on the way to a path is a link. */
export function hasLinkOnTheWay(root: string, path: string): boolean {
  const names = path.split("/").slice(0, -1);
  let way = root;
  for (const name of names) {
    way = `${way}/${name}`;
    try {
      if (lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink() === true) return true;
    } catch {
      // It is no folder, or may not be looked into: what is behind it cannot be reached by a link.
      return false;
    }
  }
  return false;
}

/** A folder that is held, and the beginning of the paths of its files while it is. */
export interface HeldFolder {
  readonly base: string;
  /** True while it is in its place: a folder that was moved away, or swapped for a link, is not. */
  isInPlace(): Promise<boolean>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
export type FolderAnswer =
  | { readonly kind: "held"; readonly folder: HeldFolder }
  | { readonly kind: "refused"; readonly reason: "absent" | "denied" | "link" };

/** Opens a regular file by its name in a folder that is held. The caller closes it. */
export async function openHeld({ base }: HeldFolder, name: string): Promise<OpenedFile> {
  const full = `${base}/${name}`;
  let handle: promises.FileHandle;
  try {
    handle = await promises.open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return { kind: "refused", reason: toRefusal(systemCodeOf(error)) };
  }
  // A folder that is held by its path alone needs the check of its place, like any other file.
  const reason =
    OPEN_FILES === undefined ? await findWrongPlace(handle, full) : await findNoFile(handle);
  if (reason === undefined) return { kind: "open", handle };
  await handle.close();
  return { kind: "refused", reason };
}

async function findNoFile(handle: promises.FileHandle): Promise<OpenRefusal | undefined> {
  return (await handle.stat()).isFile() ? undefined : "no-file";
}

/**
 * The names in a folder, which is held while it is listed; none where something else has taken its
 * place. Throws as the file system does, and for a link as for something that is no folder.
 */
export function listNames(root: string, path: string): readonly string[] {
  return listHeld(root, path, (folder) => readdirSync(folder));
}

/** The same with the kind of each entry. */
export function listDirents(root: string, path: string): readonly Dirent[] {
  return listHeld(root, path, (folder) => readdirSync(folder, { withFileTypes: true }));
}

function listHeld<Entry>(
  root: string,
  path: string,
  list: (folder: string) => readonly Entry[],
): readonly Entry[] {
  const full = path === "" ? root : `${root}/${path}`;
  if (OPEN_FILES === undefined) return list(full);
  const held = openSync(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const at = `${OPEN_FILES}/${held}`;
    return readlinkSync(at) === full ? list(at) : [];
  } finally {
    closeSync(held);
  }
}

/** Holds the folder of a path, by way of every folder above it. */
export async function holdFolder(
  root: string,
  names: readonly string[],
  { isMade }: { readonly isMade: boolean },
): Promise<FolderAnswer> {
  const opened = await openBound(root);
  if (opened === undefined) return { kind: "refused", reason: "link" };
  let handle = opened;
  let full = root;
  for (const name of names) {
    // A folder that is held by its path alone may be another by now.
    if (OPEN_FILES === undefined && !(await isAt(handle, full))) {
      await handle.close();
      return { kind: "refused", reason: "link" };
    }
    const at = join(OPEN_FILES === undefined ? full : `${OPEN_FILES}/${handle.fd}`, name);
    try {
      if (isMade) await makeFolder(at);
      const next = await promises.open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await handle.close();
      handle = next;
    } catch (error) {
      await handle.close();
      return { kind: "refused", reason: explainFolder(systemCodeOf(error)) };
    }
    full = join(full, name);
  }
  if (OPEN_FILES === undefined && (await promises.realpath(full)) !== full) {
    await handle.close();
    return { kind: "refused", reason: "link" };
  }
  const held = handle;
  return {
    kind: "held",
    folder: {
      base: OPEN_FILES === undefined ? full : `${OPEN_FILES}/${held.fd}`,
      isInPlace: () => isAt(held, full),
      sync: () => held.sync(),
      close: () => held.close(),
    },
  };
}

/** The root as it was bound; undefined where it was swapped for a link, or is behind one. */
async function openBound(root: string): Promise<promises.FileHandle | undefined> {
  let handle: promises.FileHandle;
  try {
    handle = await promises.open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (lstatSync(root, { throwIfNoEntry: false })?.isSymbolicLink() === true) return undefined;
    throw error;
  }
  if (await isAt(handle, root)) return handle;
  await handle.close();
  return undefined;
}

async function isAt(handle: promises.FileHandle, full: string): Promise<boolean> {
  try {
    const [held, there] = [await handle.stat(), await promises.lstat(full)];
    const isSame = held.dev === there.dev && held.ino === there.ino;
    return isSame && (await promises.realpath(full)) === full;
  } catch {
    return false;
  }
}

async function makeFolder(at: string): Promise<void> {
  try {
    await promises.mkdir(at);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
}

function explainFolder(code: string): "absent" | "denied" | "link" {
  if (isDeniedCode(code)) return "denied";
  // Something else than a folder cannot be gone through, whether it leads somewhere or not.
  return code === "ENOENT" ? "absent" : "link";
}
