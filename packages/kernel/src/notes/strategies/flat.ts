/** The last notes, one in a line. */
import { FLAT_NOTES_MAX } from "../../limits.ts";
import { formatNote, type SaidNote } from "../said-note.ts";

export function renderFlat(notes: readonly SaidNote[]): string {
  return notes.slice(-FLAT_NOTES_MAX).map(formatNote).join("\n");
}
