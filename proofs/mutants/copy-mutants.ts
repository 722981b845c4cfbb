import type { Mutant } from "./mutant.ts";

/** Faults in threads that a run gets from another: forks and handoffs. */
export const copyMutants: readonly Mutant[] = [
  {
    name: "fork-takes-its-turn-too",
    file: "packages/host/src/inbox/given-threads.ts",
    find: 'event.type === "turn.started" && event.turn === turn;',
    replace: 'event.type === "turn.started" && event.turn > turn;',
  },
  {
    name: "fork-of-nothing-begins",
    file: "packages/host/src/inbox/given-threads.ts",
    find: "before.spec === null || before.openTurn !== null || before.turns + 1 !== turn",
    replace: "before.turns + 1 > turn",
  },
  {
    name: "given-threads-not-read-back",
    file: "packages/folds/src/thread/fold-thread.ts",
    find: "entries.put(at, added, sequence);",
    replace: "",
  },
  {
    name: "handoff-gives-unasked",
    file: "packages/kernel/src/tools/hand-off.ts",
    find: "if (wanted === undefined) return succeed({});",
    replace: "",
  },
  {
    name: "handoff-without-a-thread-begins",
    file: "packages/kernel/src/tools/hand-off.ts",
    find: 'thread === undefined ? deny(HANDOFF_TOOL, "thread-missing") : succeed({ thread })',
    replace: "thread === undefined ? succeed({}) : succeed({ thread })",
  },
];
