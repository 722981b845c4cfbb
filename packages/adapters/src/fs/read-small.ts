/**
 * Reads a small file in one step, at a fraction of the price of several. An unusual file is left to
 * the reading in several steps, which tells why.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { isSameMark } from "./file-mark.ts";
import { OPEN_FILES } from "./root-place.ts";

/** Bytes of a small file: others wait while it is read. */
const SMALL_BYTES_MAX = 64 * 1024;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export interface SmallFile {
  readonly bytes: Uint8Array;
  readonly mark: Stats;
}

/** Undefined for a file that is large, in another place, or changes meanwhile. */
export function readSmall(full: string): SmallFile | undefined {
  if (OPEN_FILES === undefined) return undefined;
  let file: number | undefined;
  try {
    file = openSync(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const mark = fstatSync(file);
    if (!mark.isFile() || mark.size > SMALL_BYTES_MAX) return undefined;
    if (readlinkSync(`${OPEN_FILES}/${file}`) !== full) return undefined;
    // One byte more shows whether the file grew.
    const bytes = new Uint8Array(mark.size + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length !== mark.size || !isSameMark(mark, fstatSync(file))) return undefined;
    return { bytes: bytes.subarray(0, length), mark };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
