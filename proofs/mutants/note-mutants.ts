import type { Mutant } from "./mutant.ts";

const notes = "packages/kernel/src/notes";
const scope = "packages/kernel/src/scope.ts";

/** Faults in what is noted, in when it is over, and in who is shown it. */
export const noteMutants: readonly Mutant[] = [
  {
    name: "notes-before-the-entries",
    file: "packages/kernel/src/thread/plan-request.ts",
    find: "return first.concat(",
    replace: "return [...last.splice(0), ...first].concat(",
    fails: ["notes/past-the-rounds"],
  },
  {
    name: "note-outlives-its-task",
    file: `${notes}/plan-note.ts`,
    find: 'if (belongsTo !== undefined && within.has(belongsTo)) ended.set(id, "done");\n    else if',
    replace: "if",
    fails: [
      "notes/crash-after-a-note",
      "notes/crash-before-a-note",
      "notes/crash-before-an-end",
      "notes/on-done",
      "notes/task-tree",
    ],
  },
  {
    name: "note-outlives-a-task-below-its-own",
    file: `${notes}/plan-note.ts`,
    find: 'lifetime === "on-subtask-done" && above.has(belongsTo)',
    replace: "false",
    fails: ["notes/on-subtask-done"],
  },
  {
    name: "note-outlives-its-rounds",
    file: `${notes}/notes.ts`,
    find: "until <= round",
    replace: "until < round",
    fails: ["notes/rounds"],
  },
  {
    name: "note-outlives-its-call",
    file: "packages/kernel/src/call/run-call.ts",
    find: "world.notes?.leave(frame);",
    replace: "frame.isTraceFull();",
    fails: ["notes/failed-turn", "notes/over-with-the-call"],
  },
  {
    name: "notes-of-a-turn-forgotten",
    file: "packages/host/src/projection/apply-event.ts",
    find: "notes: open?.notes ?? run.notes,",
    replace: "notes: run.notes,",
    fails: [
      "notes/at-the-end",
      "notes/author-once",
      "notes/failed-turn",
      "notes/over-with-the-call",
      "notes/past-the-rounds",
      "notes/rounds",
      "notes/siblings",
    ],
  },
  {
    name: "resume-begins-with-its-own-notes",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: "notes: projection().notes,",
    replace: "notes: projection().openTurn?.notes ?? projection().notes,",
    fails: ["notes/crash-after-a-note", "notes/crash-before-an-end"],
  },
  {
    name: "note-leaks-to-a-sibling",
    file: scope,
    find: 'case "isolated":\n      return openOwn(place,',
    replace: 'case "isolated":\n      return openOwn("/agents",',
    fails: ["notes/siblings"],
  },
  {
    name: "caller-is-shown-what-inherits",
    file: scope,
    find: "return openOwn(place, [...caller.above, caller.name], own ?? caller.strategy);",
    replace: "return { ...caller, strategy: own ?? caller.strategy };",
    fails: ["notes/below-its-caller", "notes/inherited", "notes/nested"],
  },
  {
    name: "shared-notes-are-apart",
    file: scope,
    find: "return { ...caller, strategy: own ?? caller.strategy };",
    replace: 'return openOwn(place, [], own ?? "flat");',
    fails: ["notes/shared"],
  },
  {
    name: "newest-note-makes-room",
    file: `${notes}/plan-note.ts`,
    find: "  for (const note of notes) {\n    if (tooMany",
    replace: "  for (const note of notes.toReversed()) {\n    if (tooMany",
    fails: ["notes/last-ten", "notes/three-done", "notes/three-results"],
  },
  {
    name: "results-without-number",
    file: `${notes}/plan-note.ts`,
    find: "pushOut(left(), isResult, RESULT_NOTES_MAX, ended);",
    replace: "",
    fails: ["notes/three-results"],
  },
  {
    name: "pending-tasks-in-disorder",
    file: `${notes}/strategies/task-list.ts`,
    find: "pending.map(name)",
    replace: "pending.toReversed().map(name)",
    fails: ["notes/task-list"],
  },
  {
    name: "all-notes-of-a-level",
    file: `${notes}/strategies/task-tree.ts`,
    find: "own.slice(-LEVEL_NOTES_MAX)",
    replace: "own",
    fails: ["notes/task-tree"],
  },
  {
    name: "note-of-many-lines",
    file: `${notes}/said-note.ts`,
    find: 'return text.replaceAll(/[\\s\\p{C}]+/gu, " ").trim();',
    replace: "return text;",
    fails: ["notes/one-line"],
  },
  {
    name: "author-notes-again-past-the-rounds",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: "continues ? [] : (prompt.notes ?? [])",
    replace: "prompt.notes ?? []",
    fails: ["notes/past-the-rounds"],
  },
];
