import type { Mutant } from "./mutant.ts";

const machine = "packages/kernel/src/flow/nodes/run-machine.ts";

/** Faults in how a machine goes from state to state. */
export const machineMutants: readonly Mutant[] = [
  {
    name: "first-state-entered",
    file: machine,
    find: "const isEntered = before !== undefined && before !== name;",
    replace: "const isEntered = before !== name;",
  },
  {
    name: "entered-from-itself",
    file: machine,
    find: "const isEntered = before !== undefined && before !== name;",
    replace: "const isEntered = before !== undefined;",
  },
  {
    name: "left-for-itself",
    file: machine,
    find: "next === visit.name ? undefined : visit.state.onExit",
    replace: "visit.state.onExit",
  },
  {
    name: "one-transition-too-many",
    file: machine,
    find: "if (number > node.maxTransitions)",
    replace: "if (number > node.maxTransitions + 1)",
  },
  {
    name: "always-is-never",
    file: machine,
    find: "if (when === undefined) return succeed(next);",
    replace: "if (when === undefined) continue;",
  },
  {
    name: "state-that-leads-nowhere",
    file: "packages/kernel/src/definition/flow/check-machine.ts",
    find: "if (!terminal && transitions.length === 0)",
    replace: "if (!terminal && transitions.length === 0 && name === machine.initial)",
  },
  {
    name: "states-forgotten",
    file: machine,
    find: "states = { ...states, [name]: last };",
    replace: "states = { [name]: last };",
  },
  {
    name: "result-of-a-state-not-told",
    file: machine,
    find: 'const result = body.kind === "ok" ? body.result : give(null).result;',
    replace: "const { result } = give(null);",
  },
];
