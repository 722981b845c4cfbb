import { expect, test } from "vitest";
import { LEVEL_NOTES_MAX, RESULT_NOTES_MAX } from "../../limits.ts";
import { type Line, writeNotes } from "../sample-notes.test.data.ts";
import { renderTaskTree } from "./task-tree.ts";

const render = (lines: readonly Line[]): string =>
  renderTaskTree(writeNotes("task-tree", lines).notes);

test("the path from the outermost task to the current one", () => {
  expect(
    render([
      "note be careful",
      "task fix all issues",
      "note three files",
      "task fix type errors",
      "result main.ts done",
      "start look at util.ts",
      "blocked look at util.ts",
    ]),
  ).toBe(
    [
      "(be careful)",
      "- fix all issues",
      "  (three files)",
      "  - fix type errors",
      "    (result: main.ts done)",
      "    - look at util.ts (blocked)",
    ].join("\n"),
  );
});

test("the last LEVEL_NOTES_MAX notes of each level", () => {
  const notes = Array.from({ length: LEVEL_NOTES_MAX + 1 }, (_, index) => `note n${index}`);
  expect(render(["task a", ...notes])).toBe("- a\n  (n1)\n  (n2)");
});

test("results of one task are kept RESULT_NOTES_MAX at most", () => {
  const results = Array.from({ length: RESULT_NOTES_MAX + 1 }, (_, index) => `result r${index}`);
  const { ended } = writeNotes("task-tree", ["task a", ...results, "task b", "result r9"]);
  expect(ended).toEqual(["pushed-out r0"]);
});

test("a task that is done leaves its words with the one above it", () => {
  expect(render(["task a", "task b", "result x", "done b went well"])).toBe(
    "- a\n  (done: b went well)",
  );
  expect(render(["task a", "task b", "done a"])).toBe("(done: a)");
  expect(render(["task a", "task b", "done b", "task c"])).toBe("- a\n  (done: b)\n  - c");
});

test("what is read of a caller stands above what is a call's own", () => {
  const caller = writeNotes("task-tree", ["task a", "note of a"]).notes;
  const own = writeNotes("task-tree", ["task b", "note of b"], 10).notes;
  expect(renderTaskTree([...caller, ...own])).toBe("- a\n  (of a)\n  - b\n    (of b)");
});
