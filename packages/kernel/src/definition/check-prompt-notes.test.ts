import type { NoteSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { NOTE_BYTES_MAX, NOTE_ROUNDS_MAX, PROMPT_NOTES_MAX } from "../limits.ts";
import { checkPromptNotes } from "./check-prompt-notes.ts";
import { createReport } from "./report.ts";

function listProblems(notes: readonly NoteSpec[]): string[] {
  const report = createReport();
  checkPromptNotes({ template: "Go", variables: [], notes }, report);
  return report.problems.map(({ rule, path }) => `${rule} ${path}`);
}

const note = (fields: Partial<NoteSpec> = {}): NoteSpec => ({ key: "note", text: "x", ...fields });

test("a prompt begins with PROMPT_NOTES_MAX notes, and not one more", () => {
  const most = Array.from({ length: PROMPT_NOTES_MAX }, () => note());
  expect(listProblems(most)).toEqual([]);
  expect(listProblems([...most, note()])).toEqual(["field-type /prompt/notes"]);
});

test("a note has NOTE_BYTES_MAX bytes and NOTE_ROUNDS_MAX rounds, and not one more", () => {
  const text = "é".repeat(NOTE_BYTES_MAX / 2);
  expect(listProblems([note({ text, rounds: NOTE_ROUNDS_MAX })])).toEqual([]);
  expect(listProblems([note(), note({ text: `${text}x` })])).toEqual([
    "field-type /prompt/notes/1/text",
  ]);
  expect(listProblems([note({ rounds: NOTE_ROUNDS_MAX + 1 })])).toEqual([
    "field-type /prompt/notes/0/rounds",
  ]);
});
