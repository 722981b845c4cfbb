import { sha256Hex } from "../sha256.ts";

/** A name for the code of a function, so that a resume can tell whether it is still the same. */
export function buildOf(run: (...given: never[]) => unknown): string {
  return `source:${sha256Hex(String(run)).slice(0, 16)}`;
}
