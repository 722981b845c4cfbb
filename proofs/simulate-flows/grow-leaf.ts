/** Draws what has nothing inside: calls and waits. */
import { type FlowNode, QUESTION_TOOL } from "@turnseal/protocol";
import { type Ground, type Growing, type Grown, pickWeighted, result } from "./ground.ts";
import { constant, drawMapping, type Known } from "./known.ts";

/** The signals that people send, and one that is never sent. */
export const SIGNALS = ["red", "green", "blue"] as const;
export const NEVER = "never";

export function growLeaf(context: Growing, { known, fold }: Ground, name: string): Grown {
  const { random, mayWait, mayDeny, called } = context;
  context.calls += fold;
  if (mayWait && random.chance(0.13)) return growWait(context, known, name);
  // It never answers: it always runs out.
  if (random.chance(0.03)) {
    const timeoutMs = random.between(500, 8_000);
    const hung = { kind: "call", name, loopId: "hang", inputMapping: drawMapping(random, known) };
    return { node: { ...hung, timeoutMs, onError: "continue" } as FlowNode, known: unsure(name) };
  }
  const loopId = pickWeighted(random, called);
  const mayNarrow = loopId !== "delegate";
  const tools = mayDeny && random.chance(0.4) ? [] : toolsOf(loopId);
  const node: FlowNode = {
    ...{ kind: "call", name, loopId },
    inputMapping: { ...drawMapping(random, known), cents: constant(random.below(40)) },
    ...(mayNarrow && random.chance(0.06) ? { grantMapping: { tools: constant(tools) } } : {}),
  };
  return { node, known: result(name, "cell") };
}

/** What a loop needs of a grant. */
function toolsOf(loopId: string): string[] {
  switch (loopId) {
    case "think":
      return [];
    case "part":
      return [...["look", "hang", "put", "book", "pay"].map((id) => `local.${id}`), QUESTION_TOOL];
    case "agent":
      return ["local.look", "local.put"];
    default:
      return [`local.${loopId}`];
  }
}

function unsure(name: string): Known {
  return { name, holds: "result", isSure: false, mayFail: true };
}

function growWait(
  { random, isHasty, startsMs }: Growing,
  known: readonly Known[],
  name: string,
): Grown {
  const kind = random.below(4);
  const hurry = isHasty ? { withinMs: random.between(1_000, 90_000) } : {};
  const onTimeout = random.chance(0.6) ? ({ onTimeout: "continue" } as const) : {};
  if (kind === 0) {
    const signal = random.pick(SIGNALS);
    const schema = {
      type: "object",
      required: ["value"],
      properties: { value: { type: "integer" } },
    };
    const waited = { signal, ...(random.chance(0.6) ? { schema } : {}) };
    return {
      node: { kind: "wait", name, for: waited, ...hurry, ...onTimeout },
      known: result(name),
    };
  }
  if (kind === 1) {
    const question = { loopId: "ask", inputMapping: drawMapping(random, known) };
    return {
      node: { kind: "wait", name, for: { question }, ...hurry, ...onTimeout },
      known: result(name),
    };
  }
  if (kind === 2) {
    const until = new Date(startsMs + random.between(-60_000, 600_000)).toISOString();
    return {
      node: { kind: "wait", name, for: { until: constant(until) }, ...hurry },
      known: result(name),
    };
  }
  const isSignal = random.chance(0.5);
  // A signal that is never sent, and a time that is too far away.
  const waited = isSignal ? { signal: NEVER } : { until: constant("2099-01-01T00:00:00Z") };
  const withinMs = random.between(1_000, 60_000);
  return { node: { kind: "wait", name, for: waited, withinMs, ...onTimeout }, known: result(name) };
}
