import { describe, expect, test } from "vitest";
import { TASK_NOTES_MAX } from "../limits.ts";
import { endCall } from "./plan-note.ts";
import { type Line, writeNotes } from "./sample-notes.test.data.ts";

const onDone = (text: string): Line => ({ key: "note", text, lifetime: "on-done" });
const onSubtask = (text: string): Line => ({ key: "note", text, lifetime: "on-subtask-done" });

describe("when a note is over", () => {
  test.each<[string, readonly Line[], readonly string[]]>([
    ["with its task", ["start a", onDone("x"), "done a"], ["done a", "done x"]],
    ["not with another task", ["start a", onDone("x"), "start b", "done b"], ["done b"]],
    ["not with a task before it", ["start a", "done a", onDone("x"), "done b"], ["done a"]],
    ["never by itself, where it is manual", ["start a", "note x", "done a"], ["done a"]],
    ["a result with its task", ["start a", "result x", "done a"], ["done a", "done x"]],
  ])("in a list: %s", (_, lines, ended) => {
    expect(writeNotes("task-list", lines).ended).toEqual(ended);
  });

  test.each<[string, readonly Line[], readonly string[]]>([
    [
      "with a task below its own",
      ["task a", onSubtask("x"), "task b", "done b"],
      ["done b", "subtask-done x"],
    ],
    [
      "with a task below one below its own",
      ["task a", onSubtask("x"), "task b", "task c", "done c"],
      ["done c", "subtask-done x"],
    ],
    ["with its own task", ["task a", onSubtask("x"), "done a"], ["done a", "done x"]],
    [
      "without a task, with any",
      [onSubtask("x"), "task a", "done a"],
      ["done a", "subtask-done x"],
    ],
    ["not on-done with a task below", ["task a", onDone("x"), "task b", "done b"], ["done b"]],
    [
      "with all below",
      ["task a", "task b", onDone("x"), "task c", onDone("y"), "done b"],
      ["done b", "done c", "done x", "done y"],
    ],
  ])("in a tree: %s", (_, lines, ended) => {
    expect(writeNotes("task-tree", lines).ended).toEqual(ended);
  });

  test("with its call, where it belongs to no task", () => {
    const lines = [onDone("x"), onSubtask("y"), "note z", "start a", onDone("w")];
    const { notes } = writeNotes("task-list", lines);
    const over = endCall(notes).map(({ note }) => notes.find(({ id }) => id === note)?.words.text);
    expect(over).toEqual(["x", "y"]);
  });
});

describe("what is noted already", () => {
  test("is not noted again, but a start and an end are", () => {
    expect(writeNotes("task-list", ["task a", "task a", "note x", "note x"]).ended).toEqual([
      "known a",
      "known x",
    ]);
    const again = writeNotes("task-list", ["start a", "start b", "start a", "start a"]);
    expect(again.ended).toEqual(["replaced a"]);
  });

  test("a task that is started twice stays the same task", () => {
    const lines = ["start a", onDone("x"), "start b", "start a", "done a"];
    expect(writeNotes("task-list", lines).ended).toEqual(["done a", "done a", "done x"]);
  });
});

describe("a scope with tasks", () => {
  const tasks = Array.from({ length: TASK_NOTES_MAX }, (_, index) => `task t${index}`);

  test("has TASK_NOTES_MAX notes; one more pushes out the oldest that is no open task", () => {
    const { ended } = writeNotes("task-list", ["note x", ...tasks.slice(1), "task more"]);
    expect(ended).toEqual(["pushed-out x"]);
  });

  test("is full of TASK_NOTES_MAX open tasks, and has room when one is done", () => {
    expect(writeNotes("task-list", [...tasks, "note x"]).ended).toEqual(["full x"]);
    expect(writeNotes("task-list", [...tasks, "done t0", "note x"]).ended).toEqual([
      "done t0",
      "pushed-out t0",
    ]);
  });
});
