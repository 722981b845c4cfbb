/** Finds pieces of secrets in a text, and removes them. */
import { isInside } from "../context/find-character.ts";
import { findPieces, type Pieces } from "./redact-pieces.ts";
import { READINGS } from "./redact-readings.ts";

/** The replacement of a secret, or of a piece of one. */
export const REDACTED = "[redacted]";

/** A mark for each byte that goes; undefined when all of them stay. Characters go as a whole. */
export function markSecrets(bytes: Uint8Array, pieces: Pieces): Uint8Array | undefined {
  if (bytes.length < pieces.shortest) return undefined;
  const marked = new Uint8Array(bytes.length);
  let isMarked = false;
  const finder = findPieces(pieces, (from, to) => {
    isMarked = true;
    marked.fill(1, from, to);
  });
  for (const read of READINGS) {
    read(bytes, finder);
    finder.breakOff();
  }
  if (!isMarked) return undefined;
  for (let at = 1; at < bytes.length; at++)
    if (isInside(bytes, at) && marked[at - 1] === 1) marked[at] = 1;
  for (let at = bytes.length - 1; at > 0; at--)
    if (isInside(bytes, at) && marked[at] === 1) marked[at - 1] = 1;
  return marked;
}

/** Replaces marked bytes. With `isOut`, a mark that continues from before is not replaced twice. */
export function cutOut(bytes: Uint8Array, marked: Uint8Array, isOut = false): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (let from = 0; from < bytes.length; ) {
    const isNext = marked[from] === 1;
    const next = marked.indexOf(isNext ? 0 : 1, from);
    const to = next === -1 ? bytes.length : next;
    if (!isNext) text += decoder.decode(bytes.subarray(from, to));
    else if (from > 0 || !isOut) text += REDACTED;
    from = to;
  }
  return text;
}
