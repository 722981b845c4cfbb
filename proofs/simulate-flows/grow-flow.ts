/**
 * Draws a flow: nodes of every kind inside each other, with conditions, tries, substitutes, waits
 * and joins.
 *
 * What a flow comes to must not depend on who is faster, or nothing could be compared. So the items
 * of a join that some of them decide all give the same, and whatever times out does so whenever it
 * is tried. Only a flow that is drawn hasty has short times where others act.
 */
import type { FlowNode, Join, RetrySpec, StateSpec, Tolerance } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";
import { constant, drawCondition, drawItems, drawMapping, type Known } from "./known.ts";

export interface FlowOptions {
  readonly random: Random;
  /** Nodes, more or less. */
  readonly size: number;
  /** The loops that are called, by how likely each is. */
  readonly called: readonly (readonly [loopId: string, weight: number])[];
  /** True where it may wait for people and signals. */
  readonly mayWait: boolean;
  /** True where times are short. */
  readonly isHasty: boolean;
  /** ISO 8601: when the run begins, more or less. */
  readonly startsMs: number;
}

/** How often something may be executed at most, where things repeat inside each other. */
const FOLD_MAX = 14;
const DEPTH_MAX = 13;

interface Ground {
  readonly known: readonly Known[];
  readonly depth: number;
  /** Nodes that may stand here. */
  readonly size: number;
  /** How often what stands here may be executed. */
  readonly fold: number;
}

interface Grown {
  readonly node: FlowNode;
  /** What its name stands for afterwards. */
  readonly known: Known;
}

/** The signals that somebody sends, and one that nobody does. */
export const SIGNALS = ["red", "green", "blue"] as const;
export const NEVER = "never";

export interface GrownFlow {
  readonly flow: FlowNode;
  readonly nodes: number;
  /** Calls that it makes at most, more or less. */
  readonly calls: number;
}

export function growFlow(options: FlowOptions): GrownFlow {
  const context: Growing = { ...options, nodes: 1, calls: 0 };
  const ground = { known: [], depth: 1, size: options.size, fold: 1 };
  const { node } = growSequence(context, ground, "all");
  return { flow: node, nodes: context.nodes, calls: context.calls };
}

interface Growing extends FlowOptions {
  nodes: number;
  calls: number;
}

type Grow = (context: Growing, ground: Ground, name: string) => Grown;

const inner: readonly (readonly [Grow, number, isRepeated: boolean])[] = [
  [growSequence, 4, false],
  [growParallel, 2.5, false],
  [growForEach, 2, true],
  [growBranch, 2, false],
  [growRepeat, 1.5, true],
  [growMachine, 1.5, true],
];

function grow(context: Growing, ground: Ground): Grown {
  const { random } = context;
  const isLeaf = ground.size <= 1 || ground.depth >= DEPTH_MAX;
  const fits = inner.filter(([, , isRepeated]) => !isRepeated || ground.fold * 2 <= FOLD_MAX);
  const drawn = isLeaf ? growLeaf : pickWeighted(random, fits);
  context.nodes += 1;
  const name = `n${context.nodes}`;
  const tries = drawTries(context, ground);
  const fold = ground.fold * (tries.retry?.max ?? 1);
  const { node, known } = drawn(context, { ...ground, fold }, name);
  return decorate(context, ground, { node: { ...node, ...tries } as FlowNode, known });
}

function pickWeighted<Item>(
  random: Random,
  items: readonly (readonly [Item, number, ...unknown[]])[],
): Item {
  let left = (random.below(2 ** 31) / 2 ** 31) * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return random.pick(items)[0];
}

function inside(ground: Ground, change: Partial<Ground> = {}): Ground {
  return { ...ground, depth: ground.depth + 1, ...change };
}

/** The nodes of a ground, shared among so many. */
function share(random: Random, size: number, most: number): number[] {
  const count = Math.max(1, Math.min(most, size));
  const parts = Array.from({ length: count }, () => 1);
  for (let left = size - count; left > 0; ) {
    const some = Math.min(left, random.between(1, Math.max(1, left >> 1)));
    const index = random.below(count);
    parts[index] = (parts[index] ?? 0) + some;
    left -= some;
  }
  return parts;
}

function result(name: string, holds: Known["holds"] = "result"): Known {
  return { name, holds, isSure: true, mayFail: false };
}

function growLeaf(context: Growing, { known, fold }: Ground, name: string): Grown {
  const { random, mayWait, called } = context;
  context.calls += fold;
  if (mayWait && random.chance(0.13)) return growWait(context, known, name);
  // It never answers, whoever asks: it always runs out.
  if (random.chance(0.03)) {
    const timeoutMs = random.between(500, 8_000);
    const hung = { kind: "call", name, loopId: "hang", inputMapping: drawMapping(random, known) };
    return { node: { ...hung, timeoutMs, onError: "continue" } as FlowNode, known: unsure(name) };
  }
  const loopId = pickWeighted(random, called);
  const mayNarrow = loopId !== "part" && loopId !== "delegate";
  const node: FlowNode = {
    ...{ kind: "call", name, loopId },
    inputMapping: { ...drawMapping(random, known), cents: constant(random.below(40)) },
    ...(mayNarrow && random.chance(0.06) ? { grantMapping: { handoffs: constant([]) } } : {}),
  };
  return { node, known: result(name, "cell") };
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
  // What nobody sends, and a time that is too far away.
  const waited = isSignal ? { signal: NEVER } : { until: constant("2099-01-01T00:00:00Z") };
  const withinMs = random.between(1_000, 60_000);
  return { node: { kind: "wait", name, for: waited, withinMs, ...onTimeout }, known: result(name) };
}

function growSequence(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const known = [...ground.known];
  const own: Known[] = [];
  const nodes = share(random, ground.size - 1, random.between(1, 6)).map((size) => {
    const grown = grow(context, inside(ground, { size, known }));
    known.push(grown.known);
    own.push(grown.known);
    return grown.node;
  });
  if (!random.chance(0.4)) return { node: { kind: "sequence", name, nodes }, known: result(name) };
  const outputMapping = {
    ...{ value: constant(random.below(100)), list: constant(drawNumbers(random)) },
    ...Object.fromEntries(own.map((each) => [each.name, `$.${each.name}.output`])),
  };
  return { node: { kind: "sequence", name, nodes, outputMapping }, known: result(name, "cell") };
}

function drawNumbers(random: Random): number[] {
  return Array.from({ length: random.below(4) }, () => random.below(50));
}

interface FanOutRules {
  readonly join?: Join;
  readonly onItemError?: "halt" | "continue";
  readonly tolerate?: Tolerance;
  readonly concurrency?: number;
}

function drawRules(random: Random, most: number): FanOutRules {
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
function alike(rules: FanOutRules, body: FlowNode, value: number): FlowNode {
  if (rules.join === undefined || rules.join === "all") return body;
  const outputMapping = { value: constant(value), list: constant([value]) };
  return { kind: "sequence", nodes: [body], outputMapping };
}

function growParallel(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const sizes = share(random, ground.size - 1, random.between(1, 4));
  const rules = drawRules(random, sizes.length);
  const value = random.below(100);
  const branches = sizes.map((size) =>
    alike(rules, grow(context, inside(ground, { size, depth: ground.depth + 2 })).node, value),
  );
  return { node: { kind: "parallel", name, ...rules, branches }, known: knownOf(rules, name) };
}

function knownOf({ join }: FanOutRules, name: string): Known {
  return result(name, join === "any" ? "cell" : "result");
}

function growForEach(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const max = random.between(1, Math.max(2, Math.min(5, Math.floor(FOLD_MAX / ground.fold))));
  const rules = drawRules(random, max);
  const as = `i${ground.depth}`;
  const items = drawItems(random, ground.known, max);
  const own = [result(as, "number"), result(`${as}Index`, "number")];
  const below = inside(ground, {
    ...{ size: ground.size - 1, depth: ground.depth + 2, fold: ground.fold * max },
    known: [...ground.known, ...own],
  });
  const body = alike(rules, grow(context, below).node, random.below(100));
  const scope = random.chance(0.15) ? ({ scope: "shared" } as const) : {};
  return {
    node: { kind: "forEach", name, ...rules, items, max, as, body, ...scope },
    known: knownOf(rules, name),
  };
}

function growBranch(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const grown = share(random, ground.size - 1, random.between(1, 3)).map(
    (size) => grow(context, inside(ground, { size })).node,
  );
  const [first = grow(context, inside(ground, { size: 1 })).node, ...rest] = grown;
  const last = rest.length > 0 && random.chance(0.7) ? rest.pop() : undefined;
  const cases = [first, ...rest].map((node) => ({
    when: drawCondition(random, ground.known),
    do: node,
  }));
  const node: FlowNode = {
    kind: "branch",
    name,
    cases,
    ...(last === undefined ? {} : { else: last }),
  };
  return { node, known: result(name) };
}

function growRepeat(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const max = random.between(1, Math.max(1, Math.min(4, Math.floor(FOLD_MAX / ground.fold))));
  const isOuter = !ground.known.some((each) => each.name === "round");
  const own = isOuter ? [result("round", "number"), result("last", "last")] : [];
  const known = [...ground.known, ...own];
  const below = inside(ground, { size: ground.size - 1, fold: ground.fold * max, known });
  const body = grow(context, below).node;
  const condition = random.chance(0.6)
    ? `round >= ${random.below(max + 1)}`
    : drawCondition(random, ground.known);
  const asks = random.chance(0.5) ? { until: condition } : { while: `!(${condition})` };
  const onMax = random.chance(0.7) ? ({ onMax: "continue" } as const) : {};
  const scope = random.chance(0.3) ? ({ scope: "shared" } as const) : {};
  return {
    node: { kind: "repeat", name, body, ...asks, max, ...onMax, ...scope },
    known: result(name),
  };
}

function growMachine(context: Growing, ground: Ground, name: string): Grown {
  const { random } = context;
  const sizes = share(random, ground.size - 1, random.between(1, 4));
  const maxTransitions = random.between(
    sizes.length,
    Math.max(sizes.length, Math.min(6, Math.floor(FOLD_MAX / ground.fold))),
  );
  const isOuter = !ground.known.some((each) => each.name === "last");
  const known = isOuter ? [...ground.known, result("last", "last")] : ground.known;
  const fold = ground.fold * 2;
  const part = (size: number): FlowNode =>
    grow(context, inside(ground, { size, fold, known })).node;
  const states = sizes.map((size, index): [string, StateSpec] => {
    const next = random.chance(0.2) ? `s${random.below(index + 1)}` : undefined;
    const isGood = `result.status == 'ok' && ${drawCondition(random, known)}`;
    return [
      `s${index}`,
      {
        ...(random.chance(0.9) ? { body: part(size) } : {}),
        ...(random.chance(0.15) ? { onEntry: part(1) } : {}),
        ...(random.chance(0.15) ? { onExit: part(1) } : {}),
        transitions: [
          ...(next === undefined ? [] : [{ when: isGood, next }]),
          ...(random.chance(0.3) ? [{ when: drawCondition(random, known), next: "end" }] : []),
          ...(random.chance(0.97) || index === 0
            ? [{ next: index + 1 === sizes.length ? "end" : `s${index + 1}` }]
            : [{ when: "false", next: "end" }]),
        ],
      },
    ];
  });
  const end: StateSpec = { terminal: true, ...(random.chance(0.3) ? { body: part(1) } : {}) };
  const node: FlowNode = {
    ...{ kind: "machine", name, initial: "s0", maxTransitions },
    states: { ...Object.fromEntries(states), end },
  };
  return { node, known: result(name) };
}

function drawTries({ random }: Growing, { fold }: Ground): { readonly retry?: RetrySpec } {
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

/** When it runs, what runs in its place, and what its failure is to what stands around it. */
function decorate(context: Growing, ground: Ground, { node, known }: Grown): Grown {
  const { random, isHasty } = context;
  const when = random.chance(0.1) ? { when: drawCondition(random, ground.known) } : {};
  const otherwise = random.chance(0.08) ? { otherwise: growInstead(context, ground) } : {};
  const rule = random.below(12);
  const onError =
    rule === 0
      ? ({ onError: "skip" } as const)
      : rule <= 2
        ? ({ onError: "continue" } as const)
        : rule === 3
          ? ({ critical: false } as const)
          : {};
  const bears = node.onError === undefined ? onError : {};
  const timeoutMs = random.chance(0.05)
    ? { timeoutMs: isHasty ? random.between(200, 60_000) : 86_400_000 }
    : {};
  const times = node.timeoutMs === undefined ? timeoutMs : {};
  const decorated = { ...node, ...when, ...otherwise, ...bears, ...times } as FlowNode;
  const isHeld = decorated.when === undefined && decorated.otherwise === undefined;
  const isPlain = isHeld && decorated.onError === undefined && decorated.critical !== false;
  const mayFail = decorated.onError === "continue";
  return { node: decorated, known: { ...known, isSure: known.isSure && isPlain, mayFail } };
}

/** What runs in place of a node, and is told why. */
function growInstead(context: Growing, ground: Ground): FlowNode {
  const { node } = grow(context, inside(ground, { size: 1 }));
  if (node.kind !== "call") return node;
  return { ...node, inputMapping: { ...node.inputMapping, why: "$.error.code" } };
}
