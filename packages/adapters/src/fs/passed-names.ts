/** Names in a root that are ignored, in every spelling of the file system. */
import { foldPath } from "@turnseal/protocol/artifact";

/**
 * True for a path with one of the names in it. Where case or the form of Unicode does not count,
 * they are the same name; NTFS also has a short name for each (`GIT~1` for `.git`). If four others
 * have that one, it takes two letters and a number in hexadecimal digits (`GI7EBA~1`).
 */
export function hasPassedName(path: string, passed: ReadonlySet<string>): boolean {
  const shorts = new Set([...passed].map(shorten));
  const begins = new Set([...shorts].map((short) => short.slice(0, 2)));
  return foldPath(path)
    .split("/")
    .some((name) => {
      const [, short = "", hashed = ""] = /^(([^~]{2})[^~]*)~\d+$/.exec(name) ?? [];
      if (passed.has(name) || shorts.has(short)) return true;
      return /^[0-9a-f]{4}$/.test(short.slice(2)) && begins.has(hashed);
    });
}

/** Letters of a short name before its number. */
const SHORT_LENGTH_MAX = 6;

function shorten(name: string): string {
  return name.replace(/^\.+/, "").replace(/\..*$/, "").slice(0, SHORT_LENGTH_MAX);
}
