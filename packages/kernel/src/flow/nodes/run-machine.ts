/**
 * A machine of states; one is current (spec/flow.md).
 *
 * 1. Each visit has a number, so that what was executed is a line and never a circle.
 * 2. A state that follows itself runs neither `onExit` nor `onEntry`.
 * 3. The first transition whose condition holds is taken, in the order in which they are written.
 */
import { formatPointer, type JsonObject, type JsonValue } from "@turnseal/protocol";
import type {
  CheckedNode,
  CheckedNodeOf,
  CheckedState,
} from "../../definition/flow/checked-node.ts";
import { fail, type Outcome, succeed } from "../../outcome.ts";
import {
  type FlowParts,
  type Gave,
  give,
  type NodeOutcome,
  type NodePlace,
  type Skipped,
} from "./node.ts";
import { readCondition, withKnown } from "./read-known.ts";

type Machine = CheckedNodeOf<"machine">;

/** One state while it is current. */
interface Visit {
  readonly number: number;
  readonly name: string;
  readonly state: CheckedState;
  /** True when another state was current before. */
  readonly isEntered: boolean;
  /** Its readable values. */
  readonly at: NodePlace;
}

export async function runMachine(
  node: Machine,
  place: NodePlace,
  parts: FlowParts,
): Promise<NodeOutcome> {
  let states: JsonObject = {};
  let last: JsonValue = null;
  let [name, before]: [string, string | undefined] = [node.initial, undefined];
  let at = withKnown(place, { states }, ["last"]);
  for (let number = 0; ; number++) {
    const state = node.states.get(name);
    if (state === undefined) return fail("CHILD_FAILED", `${place.path} has no state \`${name}\``);
    if (number > node.maxTransitions)
      return fail(
        "CHILD_FAILED",
        `${place.path} makes more than ${node.maxTransitions} transitions`,
      );

    const isEntered = before !== undefined && before !== name;
    const visit = { number, name, state, isEntered, at };
    const body = await runState(visit, node, parts);
    if (body.kind === "error" || body.kind === "paused") return body;
    if (state.body !== undefined) {
      last = body.kind === "ok" ? body.value : null;
      states = { ...states, [name]: last };
      at = withKnown(at, { last, states });
    }
    if (state.isTerminal) return give(last);

    const next = decideNext({ ...visit, at }, body);
    if (next.kind !== "ok") return next;
    const left = await leaveState({ ...visit, at }, next.value, { node, parts });
    if (left.kind === "error" || left.kind === "paused") return left;
    [name, before] = [next.value, name];
  }
}

/** Runs a state's `onEntry`, if another state came before, and its body. */
async function runState(visit: Visit, node: Machine, parts: FlowParts): Promise<NodeOutcome> {
  const { state, isEntered } = visit;
  const entry = isEntered ? state.onEntry : undefined;
  const entered = await runPart(entry, { visit, part: "onEntry", node }, parts);
  if (entered.kind === "error" || entered.kind === "paused") return entered;
  return runPart(state.body, { visit, part: "body", node }, parts);
}

/** Runs a state's `onExit`, if another state follows. */
async function leaveState(
  visit: Visit,
  next: string,
  { node, parts }: { readonly node: Machine; readonly parts: FlowParts },
): Promise<NodeOutcome> {
  const exit = next === visit.name ? undefined : visit.state.onExit;
  return runPart(exit, { visit, part: "onExit", node }, parts);
}

interface StatePart {
  readonly visit: Visit;
  readonly part: "onEntry" | "body" | "onExit";
  readonly node: Machine;
}

async function runPart(
  body: CheckedNode | undefined,
  { visit: { number, name, at }, part, node: { scope } }: StatePart,
  { run }: FlowParts,
): Promise<NodeOutcome> {
  if (body === undefined) return give(null);
  const path = `${at.path}/visits/${number}/${part}`;
  // A state that is current again has its threads and notes again, where they are shared.
  const own = scope === "isolated" ? `/visits/${number}` : `/states${formatPointer([name])}`;
  return run(body, { ...at, path, place: `${at.place}${own}/${part}` });
}

/** The state that follows. */
function decideNext({ state, name, at }: Visit, body: Gave | Skipped): Outcome<string> {
  const result = body.kind === "ok" ? body.result : give(null).result;
  const known = withKnown(at, { result });
  for (const [index, { when, next }] of state.transitions.entries()) {
    if (when === undefined) return succeed(next);
    const what = `transition ${index} from \`${name}\` of ${at.path}`;
    const holds = readCondition(when, known, what);
    if (holds.kind !== "ok") return holds;
    if (holds.value) return succeed(next);
  }
  return fail("CHILD_FAILED", `no transition of ${at.path} leads on from \`${name}\``);
}
