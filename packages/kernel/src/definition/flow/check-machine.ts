/** Whether the states of a machine lead somewhere. */
import { FLOW_NODES_MAX, findNearest, formatPointer, type MachineNode } from "@turnseal/protocol";
import { TRANSITIONS_MAX } from "../../limits.ts";
import type { Report } from "../report.ts";
import { checkLimit } from "./check-limit.ts";

interface MachinePlace {
  readonly path: string;
  readonly report: Report;
}

/** Refuses states that are not there and machines that cannot end; doubts what is never reached. */
export function checkStates(machine: MachineNode, { path, report }: MachinePlace): void {
  checkLimit(machine.maxTransitions, {
    most: TRANSITIONS_MAX,
    path: `${path}/maxTransitions`,
    report,
  });
  if (Object.keys(machine.states).length > FLOW_NODES_MAX) {
    const message = `more than ${FLOW_NODES_MAX} states`;
    const mend = "move some of them into a machine of their own";
    report.refuse({ rule: "flow-limit", path: `${path}/states`, message, mend });
    return;
  }
  const at = (name: string): string => `${path}/states${formatPointer([name])}`;
  checkTarget(machine.initial, machine, { path: `${path}/initial`, report });
  for (const [name, state] of Object.entries(machine.states)) {
    const { transitions = [], terminal = false } = state;
    for (const [index, { next }] of transitions.entries())
      checkTarget(next, machine, { path: `${at(name)}/transitions/${index}/next`, report });
    if (!terminal && transitions.length === 0)
      report.refuse({
        rule: "flow-state",
        path: at(name),
        message: `nothing leads on from \`${name}\`, and it is not terminal`,
        mend: "add `transitions`, or `terminal: true`",
      });
    if (terminal && transitions.length > 0)
      report.warn({
        rule: "flow-state",
        path: `${at(name)}/transitions`,
        message: `the machine ends in \`${name}\`: none of its transitions is ever taken`,
        mend: "remove them, or `terminal`",
      });
    else checkOrder(transitions, `${at(name)}/transitions`, report);
  }
  checkReach(machine, { path, report });
}

function checkTarget(name: string, { states }: MachineNode, { path, report }: MachinePlace): void {
  if (Object.hasOwn(states, name)) return;
  const names = Object.keys(states);
  const nearest = findNearest(name, names);
  report.refuse({
    rule: "flow-state",
    path,
    message: `there is no state \`${name}\``,
    mend: nearest === undefined ? `name one of ${listShort(names)}` : `write \`${nearest}\``,
  });
}

/** After one without a condition, none is taken. */
function checkOrder(
  transitions: readonly { readonly when?: string }[],
  path: string,
  report: Report,
): void {
  const always = transitions.findIndex(({ when }) => when === undefined);
  if (always === -1 || always === transitions.length - 1) return;
  report.warn({
    rule: "flow-state",
    path: `${path}/${always + 1}`,
    message: "the transition before it has no condition and is always taken",
    mend: "put the one without a condition last",
  });
}

function checkReach({ states, initial }: MachineNode, { path, report }: MachinePlace): void {
  const reached = new Set([initial].filter((name) => Object.hasOwn(states, name)));
  // A missing state was already refused where it is named.
  if (reached.size === 0) return;
  for (const name of reached) {
    const { terminal = false, transitions = [] } = states[name] ?? {};
    if (terminal) continue;
    for (const { next } of transitions) if (Object.hasOwn(states, next)) reached.add(next);
  }
  for (const name of Object.keys(states))
    if (!reached.has(name))
      report.warn({
        rule: "flow-state",
        path: `${path}/states${formatPointer([name])}`,
        message: `\`${name}\` is never reached from \`${initial}\``,
        mend: "lead a transition to it, or remove it",
      });
  if ([...reached].some((name) => states[name]?.terminal === true)) return;
  report.refuse({
    rule: "flow-state",
    path: `${path}/states`,
    message: `from \`${initial}\` no terminal state can be reached`,
    mend: "add `terminal: true` to a state in which the machine ends",
  });
}

/** States that are named where another was written. */
const STATES_SHOWN = 12;

function listShort(names: readonly string[]): string {
  return names.slice(0, STATES_SHOWN).join(", ");
}
