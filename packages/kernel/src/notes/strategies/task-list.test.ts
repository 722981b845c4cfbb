import { expect, test } from "vitest";
import { DONE_NOTES_MAX } from "../../limits.ts";
import { type Line, writeNotes } from "../sample-notes.test.data.ts";
import { renderTaskList } from "./task-list.ts";

const render = (lines: readonly Line[]): string =>
  renderTaskList(writeNotes("task-list", lines).notes);

test("what is worked on, what waits, what was done", () => {
  expect(
    render([
      "task read the code",
      "task fix the types",
      "task run the tests",
      "start read the code",
      "done read the code",
      "start fix the types",
      "blocked run the tests",
      "note main.ts first",
      "owner Ada",
    ]),
  ).toBe(
    [
      "Current: fix the types",
      "Pending:",
      "- run the tests (blocked)",
      "Done:",
      "- read the code",
      "note: main.ts first",
      "owner: Ada",
    ].join("\n"),
  );
});

test("nothing is shown of no notes, and no title without a task", () => {
  expect(render([])).toBe("");
  expect(render(["task a"])).toBe("Pending:\n- a");
  expect(render(["start a"])).toBe("Current: a");
  expect(render(["done a"])).toBe("Done:\n- a");
});

test("of what was done the last DONE_NOTES_MAX are kept", () => {
  const tasks = Array.from({ length: DONE_NOTES_MAX + 1 }, (_, index) => `t${index}`);
  const { notes, ended } = writeNotes(
    "task-list",
    tasks.flatMap((task) => [`start ${task}`, `done ${task}`]),
  );
  expect(renderTaskList(notes)).toBe("Done:\n- t1\n- t2\n- t3");
  expect(ended).toEqual(["done t0", "done t1", "done t2", "done t3", "pushed-out t0"]);
});

test("a task that another takes over from waits again, and can be gone on with", () => {
  expect(render(["start a", "start b"])).toBe("Current: b\nPending:\n- a");
  expect(render(["start a", "start b", "start a"])).toBe("Current: a\nPending:\n- b");
  expect(render(["task a", "blocked a", "start a"])).toBe("Current: a");
});

test("done in other words ends the current task, and says how it went", () => {
  expect(render(["task a", "task b", "start a", "done a is fixed, in two files"])).toBe(
    "Pending:\n- b\nDone:\n- a is fixed, in two files",
  );
  expect(render(["task a", "done something else"])).toBe("Pending:\n- a\nDone:\n- something else");
});
