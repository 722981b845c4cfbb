/**
 * Draws a flow: nodes of every kind inside each other, with conditions, tries, substitutes, waits
 * and joins.
 *
 * The result of a flow must not depend on speed, or there would be no comparison. So the items of a
 * join that some of them decide all give the same, and a timeout happens at every try. Only a hasty
 * flow has short times where others act. Only in a denying one may a part end the whole tree before
 * others have won.
 */
import type { FlowNode, StateSpec } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";
import { alike, drawRules, drawTries, knownOf } from "./draw-rules.ts";
import {
  DEPTH_MAX,
  type FlowOptions,
  FOLD_MAX,
  type Ground,
  type Growing,
  type Grown,
  inside,
  pickWeighted,
  result,
  share,
} from "./ground.ts";
import { growLeaf } from "./grow-leaf.ts";
import { constant, drawCondition, drawItems, type Known } from "./known.ts";

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

/** Draws a substitute of a node, which gets the error code. */
function growInstead(context: Growing, ground: Ground): FlowNode {
  const { node } = grow(context, inside(ground, { size: 1 }));
  if (node.kind !== "call") return node;
  return { ...node, inputMapping: { ...node.inputMapping, why: "$.error.code" } };
}
