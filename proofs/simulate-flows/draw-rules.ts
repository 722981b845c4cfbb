/** Draws how a fan-out is joined, and how often a node is tried. */
import type { FlowNode, Join, RetrySpec, Tolerance } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";
import { FOLD_MAX, type Ground, type Growing, result } from "./ground.ts";
import { constant, type Known } from "./known.ts";

export interface FanOutRules {
  readonly join?: Join;
  readonly onItemError?: "halt" | "continue";
  readonly tolerate?: Tolerance;
  readonly concurrency?: number;
}

export function drawRules(random: Random, most: number): FanOutRules {
  const concurrency = random.chance(0.5) ? { concurrency: random.between(1, most + 1) } : {};
  const kind = random.below(8);
  if (kind === 0) return { ...concurrency, join: "any" };
  if (kind === 1) return { ...concurrency, join: { quorum: random.between(1, most) } };
  if (kind === 2) return { ...concurrency, onItemError: "continue" };
  if (kind === 3) return { ...concurrency, tolerate: { count: random.between(1, most) } };
  if (kind === 4)
    return { ...concurrency, join: "all", tolerate: { percent: random.between(1, 100) } };
  return concurrency;
}

/** Where some decide, all give the same. */
export function alike(rules: FanOutRules, body: FlowNode, value: number): FlowNode {
  if (rules.join === undefined || rules.join === "all") return body;
  const outputMapping = { value: constant(value), list: constant([value]) };
  return { kind: "sequence", nodes: [body], outputMapping };
}

export function knownOf({ join }: FanOutRules, name: string): Known {
  return result(name, join === "any" ? "cell" : "result");
}

export function drawTries({ random }: Growing, { fold }: Ground): { readonly retry?: RetrySpec } {
  if (fold * 3 > FOLD_MAX || !random.chance(0.12)) return {};
  const strategy = random.pick(["immediate", "fixed", "exponential"] as const);
  const delays =
    strategy === "immediate"
      ? {}
      : { delayMs: random.pick([1, 400, 4_000, 20_000]), capMs: 30_000 };
  return {
    retry: {
      ...{ strategy, max: random.between(1, 3), ...delays },
      ...(random.chance(0.4) ? { jitter: true } : {}),
      ...(random.chance(0.2) ? { on: ["TOOL_FAILED", "TIMEOUT"] as const } : {}),
    },
  };
}
