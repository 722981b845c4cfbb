/** Checks how large the notes of a prompt are (spec/loop.md §2.16). */
import type { PromptSpec } from "@turnseal/protocol";
import { NOTE_BYTES_MAX, NOTE_ROUNDS_MAX, PROMPT_NOTES_MAX } from "../limits.ts";
import type { Report } from "./report.ts";
import { utf8Length } from "./utf8-length.ts";

export function checkPromptNotes({ notes = [] }: PromptSpec, report: Report): void {
  const refuse = (path: string, message: string, mend: string): void =>
    report.refuse({ rule: "field-type", path: `/prompt/notes${path}`, message, mend });
  if (notes.length > PROMPT_NOTES_MAX)
    refuse("", `a prompt begins with at most ${PROMPT_NOTES_MAX} notes`, "remove some of them");
  for (const [index, { text, rounds = 1 }] of notes.entries()) {
    if (utf8Length(text) > NOTE_BYTES_MAX)
      refuse(`/${index}/text`, `it is larger than ${NOTE_BYTES_MAX} bytes`, "write a shorter text");
    if (rounds > NOTE_ROUNDS_MAX) {
      const message = `a note is shown at most ${NOTE_ROUNDS_MAX} times`;
      refuse(`/${index}/rounds`, message, `write at most ${NOTE_ROUNDS_MAX}`);
    }
  }
}
