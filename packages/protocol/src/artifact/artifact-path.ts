/**
 * Where an artifact is under its root: one way to write each place.
 *
 * 1. A path leads down from the root and never out of it, on any platform.
 * 2. A place has one path: no `.`, no empty name, one Unicode normal form.
 * 3. A path reads as it is written: nothing in it is invisible or turns its direction.
 */

/** UTF-16 units of a path. */
export const ARTIFACT_PATH_LENGTH_MAX = 1_024;
/** Bytes of one name in it, in UTF-8. */
export const ARTIFACT_NAME_BYTES_MAX = 255;
/** Names in a path. */
export const ARTIFACT_DEPTH_MAX = 64;

/** The faults of a path, each with the rule that it breaks. */
export const PATH_FAULTS = {
  empty: "a path has at least one name",
  "too-long": `a path has at most ${ARTIFACT_PATH_LENGTH_MAX} characters, a name in it 255 bytes`,
  "too-deep": `a path has at most ${ARTIFACT_DEPTH_MAX} names`,
  absolute: "a path is relative to its root",
  outside: "a path does not lead out of its root: it has no name `..`",
  backslash: "the names of a path stand between `/`, on every platform",
  "not-normal": "a path has no name that is empty or `.`, and is in the normal form NFC",
  colon: "no name of a path has a colon, which some platforms read as a place or a stream",
  unreadable: "a path has no character that is a control, invisible, or is no character",
} as const;
export type PathFault = keyof typeof PATH_FAULTS;

// The replacement character is a file system's answer for a name that is not UTF-8.
const UNREADABLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffd]/u;
/** Most paths: names of plain letters, of which a short path has not too many. */
const PLAIN = /^\.?[\w-][\w.-]*(?:\/\.?[\w-][\w.-]*)*$/;
const PLAIN_LENGTH_MAX = 2 * ARTIFACT_DEPTH_MAX;
const ASCII = /^[ -~]*$/;
const ABSOLUTE = /^\/|^[A-Za-z]:/;

/** The first thing that is wrong with a path; undefined when it can be one of an artifact. */
export function findPathFault(path: string): PathFault | undefined {
  if (path.length <= PLAIN_LENGTH_MAX && PLAIN.test(path)) return undefined;
  if (path === "") return "empty";
  if (path.length > ARTIFACT_PATH_LENGTH_MAX) return "too-long";
  if (!path.isWellFormed() || UNREADABLE.test(path)) return "unreadable";
  if (path.includes("\\")) return "backslash";
  if (ABSOLUTE.test(path)) return "absolute";
  if (path.includes(":")) return "colon";
  const names = path.split("/");
  if (names.includes("..")) return "outside";
  if (names.includes("") || names.includes(".") || path.normalize("NFC") !== path)
    return "not-normal";
  if (names.length > ARTIFACT_DEPTH_MAX) return "too-deep";
  return names.some(isTooLong) ? "too-long" : undefined;
}

function isTooLong(name: string): boolean {
  // A unit is at most three bytes: most names need not be written out.
  if (name.length * 3 <= ARTIFACT_NAME_BYTES_MAX) return false;
  return new TextEncoder().encode(name).length > ARTIFACT_NAME_BYTES_MAX;
}

/**
 * The same text for paths that are one place where case does not count, or where a name loses the
 * dots and spaces at its end.
 */
export function foldPath(path: string): string {
  return foldCase(path).replaceAll(/[. ]+(?=\/|$)/g, "");
}

function foldCase(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase();
  // Up and down again: letters that are several in the other case meet there. The capital sharp s
  // is the small one only after that, which is two letters in the other case.
  const sharp = path.normalize("NFC").replaceAll("\u1e9e", "ss");
  return sharp.toUpperCase().toLowerCase().normalize("NFC");
}

/** Groups of different paths that are one place on some platforms, each in its order. */
export function findTwins(paths: Iterable<string>): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const path of paths) {
    const folded = foldPath(path);
    const group = groups.get(folded);
    if (group === undefined) groups.set(folded, new Set([path]));
    else group.add(path);
  }
  return [...groups.values()].filter(({ size }) => size > 1).map((group) => [...group]);
}

/** True for what is in a folder, at any depth; the empty path is the root itself. */
export function isUnder(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}
