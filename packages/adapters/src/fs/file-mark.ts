/** Facts of the file system about a file: a cheap check that it is still the same. */
import type { Stats } from "node:fs";

/** Permission bits alone. */
const MODE_BITS = 0o7777;
const HAS_MODES = process.platform !== "win32";

/** The file system's facts about a file. A change of its bytes always changes `ctimeMs`. */
export type FileMark = Pick<Stats, "ctimeMs" | "dev" | "ino" | "mode" | "mtimeMs" | "size">;

export function isSameMark(one: FileMark, other: FileMark): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.mode === other.mode
  );
}

/** The mark alone, since what comes with it is large. */
export function toMark({ ctimeMs, dev, ino, mode, mtimeMs, size }: FileMark): FileMark {
  return { ctimeMs, dev, ino, mode, mtimeMs, size };
}

/** The permission bits of a mark, where the platform has any. */
export function modeOf({ mode }: FileMark): { readonly mode?: number } {
  return HAS_MODES ? { mode: mode & MODE_BITS } : {};
}
