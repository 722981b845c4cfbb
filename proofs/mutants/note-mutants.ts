import type { Mutant } from "./mutant.ts";

const notes = "packages/kernel/src/notes";
const scope = "packages/kernel/src/values/scope.ts";

/** Faults in what is noted, in when it is over, and in who is shown it. */
export const noteMutants: readonly Mutant[] = [
  {
    name: "notes-before-the-entries",
    file: "packages/kernel/src/thread/plan-request.ts",
    find: "return first.concat(",
    replace: "return [...last.splice(0), ...first].concat(",
  },
  {
    name: "note-outlives-its-task",
    file: `${notes}/plan-note.ts`,
    find: 'if (belongsTo !== undefined && within.has(belongsTo)) ended.set(id, "done");\n    else if',
    replace: "if",
  },
  {
    name: "note-outlives-a-task-below-its-own",
    file: `${notes}/plan-note.ts`,
    find: 'lifetime === "on-subtask-done" && above.has(belongsTo)',
    replace: "false",
  },
  {
    name: "note-outlives-its-rounds",
    file: `${notes}/notes.ts`,
    find: "until <= round",
    replace: "until < round",
  },
  {
    name: "note-outlives-its-call",
    file: "packages/kernel/src/call/run-call.ts",
    find: "world.memory?.notes.leave(frame);",
    replace: "frame.isTraceFull();",
  },
  {
    name: "notes-of-a-turn-forgotten",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "notes: open?.notes ?? run.notes,",
    replace: "notes: run.notes,",
  },
  {
    name: "resume-begins-with-its-own-notes",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: "notes: projection().notes,",
    replace: "notes: projection().openTurn?.notes ?? projection().notes,",
  },
  {
    name: "note-leaks-to-a-sibling",
    file: scope,
    find: 'case "isolated":\n      return openOwn(place,',
    replace: 'case "isolated":\n      return openOwn("/agents",',
  },
  {
    name: "caller-is-shown-what-inherits",
    file: scope,
    find: "return openOwn(place, [...caller.above, caller.name], own ?? caller.strategy);",
    replace: "return { ...caller, strategy: own ?? caller.strategy };",
  },
  {
    name: "shared-notes-are-apart",
    file: scope,
    find: "return { ...caller, strategy: own ?? caller.strategy };",
    replace: 'return openOwn(place, [], own ?? "flat");',
  },
  {
    name: "newest-note-makes-room",
    file: `${notes}/plan-note.ts`,
    find: "  for (const note of notes) {\n    if (tooMany",
    replace: "  for (const note of notes.toReversed()) {\n    if (tooMany",
  },
  {
    name: "results-without-number",
    file: `${notes}/plan-note.ts`,
    find: "pushOut(left(), isResult, RESULT_NOTES_MAX, ended);",
    replace: "",
  },
  {
    name: "pending-tasks-in-disorder",
    file: `${notes}/strategies/task-list.ts`,
    find: "pending.map(name)",
    replace: "pending.toReversed().map(name)",
  },
  {
    name: "all-notes-of-a-level",
    file: `${notes}/strategies/task-tree.ts`,
    find: "own.slice(-LEVEL_NOTES_MAX)",
    replace: "own",
  },
  {
    name: "note-of-many-lines",
    file: `${notes}/said-note.ts`,
    find: 'return text.replaceAll(/[\\s\\p{C}]+/gu, " ").trim();',
    replace: "return text;",
  },
  {
    name: "author-notes-again-past-the-rounds",
    file: "packages/kernel/src/notes/begin-notes.ts",
    find: "world.control?.continues === true &&",
    replace: "world.control?.continues === undefined &&",
  },
  {
    name: "one-note-too-many-taken",
    file: "packages/kernel/src/notes/begin-notes.ts",
    find: "> TASK_NOTES_MAX",
    replace: "> TASK_NOTES_MAX + 1",
  },
];
