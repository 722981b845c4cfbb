/** Whether edits of a version of a text were made already, by an earlier attempt. */
import { PLACES_LENGTH_MAX, PLACES_MAX } from "./limits.ts";

export interface Edit {
  readonly from: string;
  readonly to: string;
}

/** True if these edits of that version give this text: they are taken back, the last one first. */
export function wasMade(
  text: string,
  edits: readonly Edit[],
  isVersion: (before: string) => boolean,
): boolean {
  let candidates = [text];
  // For all edits together, since the places of one are multiplied by those of the next.
  const left = { places: PLACES_MAX, length: PLACES_LENGTH_MAX };
  for (const { from, to } of edits.toReversed()) {
    const before: string[] = [];
    for (const after of candidates) if (!undo(after, { from, to }, before, left)) return false;
    candidates = before;
  }
  return candidates.some(isVersion);
}

interface Left {
  places: number;
  length: number;
}

/** Adds the texts that this edit may have been made of; false if they are too many. */
function undo(after: string, { from, to }: Edit, before: string[], left: Left): boolean {
  // A piece that was deleted may have stood anywhere: too many places to look at.
  if (to === "") return true;
  for (let at = after.indexOf(to); at >= 0; at = after.indexOf(to, at + 1)) {
    // The first one costs no more than the edit itself.
    if (before.length > 0) {
      left.places -= 1;
      left.length -= after.length - to.length + from.length;
    }
    if (left.places < 0 || left.length < 0) return false;
    before.push(after.slice(0, at) + from + after.slice(at + to.length));
  }
  return true;
}
