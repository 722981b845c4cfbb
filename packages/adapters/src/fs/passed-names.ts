/** Names in a root that nobody looks into, whatever the file system calls them. */
import { foldPath } from "@turnseal/protocol/artifact";

/**
 * True for a path with one of the names in it. Where case or the form of Unicode does not count,
 * they are the same name; NTFS knows each by a short name as well (`GIT~1` for `.git`).
 */
export function hasPassedName(path: string, passed: ReadonlySet<string>): boolean {
  const shorts = new Set([...passed].map(shorten));
  return foldPath(path)
    .split("/")
    .some((name) => passed.has(name) || shorts.has(/^([^~]+)~\d+$/.exec(name)?.[1] ?? ""));
}

/** Letters of a short name before its number. */
const SHORT_LENGTH_MAX = 6;

function shorten(name: string): string {
  return name.replace(/^\.+/, "").replace(/\..*$/, "").slice(0, SHORT_LENGTH_MAX);
}
