/**
 * Files that this process was started with, and that its children would have open, too: Node closes
 * its own files in a child, and no others. Such a file can be a socket of the worker's parent.
 */
import { readdirSync, readFileSync } from "node:fs";

const FILES = "/proc/self/fdinfo";
/** The flag of a file that is closed in a child. */
const CLOSED_IN_CHILD = 0o2000000;
const STREAMS = 3;

/** The numbers of such files. */
export function listInherited(): number[] {
  return readdirSync(FILES)
    .map(Number)
    .filter((file) => file >= STREAMS && (readFlags(file) & CLOSED_IN_CHILD) === 0);
}

function readFlags(file: number): number {
  try {
    const [, flags = ""] = /^flags:\s*(\d+)/m.exec(readFileSync(`${FILES}/${file}`, "utf8")) ?? [];
    return Number.parseInt(flags, 8);
  } catch {
    // It was open while the folder was listed.
    return CLOSED_IN_CHILD;
  }
}
