/**
 * Runs a body again and again, in bounded rounds. Each round knows the result of the one before.
 */
import type { JsonValue } from "@turnseal/protocol";
import type { CheckedExpression, CheckedNodeOf } from "../../definition/flow/checked-node.ts";
import { fail, type Outcome, succeed } from "../../outcome.ts";
import { type FlowParts, give, type NodeOutcome, type NodePlace, outputOf } from "./node.ts";
import { readCondition, withKnown } from "./read-known.ts";

type Repeat = CheckedNodeOf<"repeat">;

export async function runRepeat(
  node: Repeat,
  place: NodePlace,
  { run }: FlowParts,
): Promise<NodeOutcome> {
  let at = withKnown(place, { round: 0 }, ["last"]);
  let last: JsonValue = null;
  for (let round = 0; ; round++) {
    at = withKnown(at, { round });
    const goesOn = holds(node.while, { at, what: "while", unless: true });
    if (goesOn.kind !== "ok") return goesOn;
    if (!goesOn.value) return give(last);
    if (round === node.max) return endAtMax(node, place, last);

    const outcome = await run(node.body, placeRound(at, round, node));
    if (outcome.kind === "error" || outcome.kind === "paused") return outcome;
    last = outputOf(outcome);
    at = withKnown(at, { last });
    const isOver = holds(node.until, { at, what: "until", unless: false });
    if (isOver.kind !== "ok") return isOver;
    if (isOver.value) return give(last);
  }
}

/** Evaluates a condition; without one, the answer is `unless`. */
function holds(
  condition: CheckedExpression | undefined,
  { at, what, unless }: { readonly at: NodePlace; readonly what: string; readonly unless: boolean },
): Outcome<boolean> {
  if (condition === undefined) return succeed(unless);
  return readCondition(condition, at, `\`${what}\` of ${at.path}`);
}

function placeRound(at: NodePlace, round: number, { scope }: Repeat): NodePlace {
  const own = scope === "isolated" ? `/${round}` : "";
  return { ...at, path: `${at.path}/rounds/${round}`, place: `${at.place}/rounds${own}` };
}

function endAtMax({ max, onMax }: Repeat, { path }: NodePlace, last: JsonValue): NodeOutcome {
  if (onMax === "continue") return give(last);
  return fail("CHILD_FAILED", `${path} is not over after ${max} rounds`);
}
