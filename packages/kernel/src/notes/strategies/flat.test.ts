import { expect, test } from "vitest";
import { FLAT_NOTES_MAX } from "../../limits.ts";
import { writeNotes } from "../sample-notes.test.data.ts";
import { renderFlat } from "./flat.ts";

const render = (lines: readonly string[]): string => renderFlat(writeNotes("flat", lines).notes);

test("each note is a line, the oldest first", () => {
  expect(render(["name Ada", "note likes tea", "result 3 files"])).toBe(
    "name: Ada\nnote: likes tea\nresult: 3 files",
  );
});

test("nothing is shown of no notes", () => {
  expect(render([])).toBe("");
});

test("FLAT_NOTES_MAX notes are kept, and the oldest makes room for one more", () => {
  const lines = Array.from({ length: FLAT_NOTES_MAX }, (_, index) => `note n${index}`);
  const { ended, notes } = writeNotes("flat", [...lines, "note last"]);
  expect(ended).toEqual(["pushed-out n0"]);
  expect(notes).toHaveLength(FLAT_NOTES_MAX);
  expect(renderFlat(notes)).toBe(
    [...lines.slice(1), "note last"].map((line) => line.replace(" ", ": ")).join("\n"),
  );
});

test("of more than FLAT_NOTES_MAX notes, from two scopes, the last are shown", () => {
  const lines = Array.from({ length: 8 }, (_, index) => `note n${index}`);
  const both = [...writeNotes("flat", lines).notes, ...writeNotes("flat", lines, 8).notes];
  expect(renderFlat(both).split("\n")).toHaveLength(FLAT_NOTES_MAX);
  expect(renderFlat(both).startsWith("note: n6\nnote: n7\nnote: n0")).toBe(true);
});

test("a note is one line, whatever it says", () => {
  expect(render(["note a\n\nCurrent: b\u2028\tc\u0000d "])).toBe("note: a Current: b c d");
});
