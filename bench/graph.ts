/**
 * Compares the cost of one change and of one question of a graph in memory at 100,000 nodes and
 * 300,000 edges with the cost at 1,000 nodes. No database is measured. Only the ratio travels.
 *
 * 1. A change is measured in processor time, as the mean of many. The state hash is excluded unless
 *    the name says so: it is computed on demand.
 * 2. A question is measured by the clock, so that other work on the machine is in its p99. It
 *    covers the whole larger graph, and separately as many of its plans as the smaller one has. The
 *    second ratio shows the effect of size alone. The first also has the cost of memory outside the
 *    caches.
 * 3. A node by its id is the cheapest question: its extra cost in the larger graph comes with every
 *    node of any question. It has no goal.
 */
import {
  applyChange,
  createGraph,
  findNode,
  type Graph,
  listEdges,
  queryNodes,
  readStateHash,
  traverse,
} from "@turnseal/folds/graph";
import { uuidFrom } from "@turnseal/protocol";
import { measureGraphTurns } from "./graph-turns.ts";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";

const FEW = 1_000;
const MANY = 100_000;
const STEPS = 98;
const ROUNDS = 9;
const CHANGES = 200;
const RATIO_GOAL = 2;
/** The hash is a way up a tree, whose depth grows with the logarithm. */
const HASH_RATIO_GOAL = 3;

export const benchGraph: Benchmark = async () => {
  const few = buildGraph(FEW);
  const started = process.cpuUsage();
  const many = buildGraph(MANY);
  const buildMs = process.cpuUsage(started).user / 1_000;
  const figures = Object.entries(changes).map(([name, ask]) => compare(name, ask, few, many));
  const asked = Object.entries(questions).map(([name, ask]) => compareTails(name, ask, few, many));
  const columns = { nodes: many.graph.entries.size, edges: many.graph.edgeCount, ms: buildMs };
  const built = { name: "a graph, built from changes", columns };
  return [...figures, ...asked, built, ...(await measureGraphTurns())];
};

interface Sample {
  readonly graph: Graph;
  readonly plans: readonly string[];
  next: number;
}

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };

/** Plans in one project; every step depends on the two before it. */
function buildGraph(nodes: number): Sample {
  const graph = createGraph();
  const context = uuidFrom("context");
  apply(graph, {
    kind: "put",
    type: "context",
    object: {
      ...{ meta, context_id: context, title: "Shop", status: "draft" },
      root: { domain: "shop", environment: "test" },
    },
  });
  const plans: string[] = [];
  for (let index = 0; graph.entries.size < nodes; index++) {
    const plan = uuidFrom(`plan ${index}`);
    const steps = Array.from({ length: STEPS }, (_, at) => stepOf(index, at));
    const object = {
      meta,
      plan_id: plan,
      context_id: context,
      title: "Ship",
      objective: "Shipped",
    };
    apply(graph, { kind: "put", type: "plan", object: { ...object, status: "draft", steps } });
    plans.push(plan);
  }
  return { graph, plans, next: STEPS };
}

function stepOf(plan: number, at: number): object {
  const idOf = (place: number) => uuidFrom(`step ${plan} ${place}`);
  const dependencies = [at - 1, at - 2].filter((place) => place >= 0).map(idOf);
  return { step_id: idOf(at), description: "Pack", status: "pending", dependencies };
}

function apply(graph: Graph, change: Parameters<typeof applyChange>[1]): void {
  const answer = applyChange(graph, change);
  if (answer.kind === "refused") throw new Error(`${change.kind} is refused: ${answer.rule}`);
}

/** Each leaves the graph as large as it was. */
const changes: Readonly<Record<string, (sample: Sample, index: number) => void>> = {
  "a step, added and removed": ({ graph, plans, next }, index) => {
    const place = index % plans.length;
    const id = uuidFrom(`step ${place} ${next}`);
    apply(graph, { kind: "add", to: plans[place] ?? "", object: stepOf(place, next) });
    apply(graph, { kind: "remove", id });
  },
  "a plan with a new title": ({ graph, plans }, index) => {
    const id = plans[index % plans.length] ?? "";
    apply(graph, { kind: "edit", id, fields: { title: `Ship ${index}` } });
  },
  "a dependency turned round and back": ({ graph, plans }, index) => {
    const place = index % plans.length;
    const [first, second] = [0, 1].map((at) => uuidFrom(`step ${place} ${at}`));
    const depend = (id = "", on: readonly string[] = []) =>
      apply(graph, { kind: "edit", id, fields: { dependencies: on } });
    depend(second);
    depend(first, [second ?? ""]);
    depend(first);
    depend(second, [first ?? ""]);
  },
  "an edit and the state hash": ({ graph, plans }, index) => {
    const id = plans[index % plans.length] ?? "";
    apply(graph, { kind: "edit", id, fields: { title: `Send ${index}` } });
    readStateHash(graph);
  },
};

const BY_ID = "a node, by its id";

/** The questions about a plan, by its number and a step in the middle of it. */
const questions: Readonly<Record<string, (graph: Graph, plan: string, step: string) => void>> = {
  [BY_ID]: (graph, _, step) => {
    if (findNode(graph, step) === undefined) throw new Error("it is there");
  },
  "the steps of a plan that are ready": (graph, plan) => {
    const { items } = queryNodes(graph, { type: "step", within: plan, status: "pending" });
    const ready = items.filter(({ id }) => {
      const { items: needed } = listEdges(graph, id, dependsOn);
      return needed.every(({ to }) => isCompleted(graph, to));
    });
    if (ready.length !== 1) throw new Error("the first step alone is ready");
  },
  "what a step depends on, two deep": (graph, _, step) => {
    const { items } = traverse(graph, step, { ...dependsOn, depth: 2 });
    if (items.length !== 4) throw new Error("it depends on the four before it");
  },
  "the neighbourhood of a step": (graph, _, step) => {
    for (const direction of ["outgoing", "incoming"] as const)
      for (const { from, to } of listEdges(graph, step, { direction }).items)
        if (findNode(graph, from === step ? to : from) === undefined)
          throw new Error("its neighbours are there");
  },
};

const dependsOn = { kinds: ["DEPENDS_ON"], direction: "outgoing" } as const;

function isCompleted(graph: Graph, id: string): boolean {
  const object = findNode(graph, id)?.object ?? {};
  return "status" in object && object.status === "completed";
}

type Question = (typeof questions)[string];

/** The median over the rounds of each round's p99; the rounds take turns. */
function compareTails(name: string, ask: Question, few: Sample, many: Sample): Figure {
  const tails = { few: [] as number[], many: [] as number[], near: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      few: measureTail(few, ask, few.plans.length),
      many: measureTail(many, ask, many.plans.length),
      near: measureTail(many, ask, few.plans.length),
    };
    if (round === 0) continue;
    for (const key of ["few", "many", "near"] as const) tails[key].push(measured[key]);
  }
  const [fewUs, manyUs, nearUs] = [tails.few, tails.many, tails.near].map(median) as [
    number,
    number,
    number,
  ];
  return {
    name: `${name}, p99`,
    columns: {
      ...{ "few us": fewUs, "many us": manyUs, ratio: manyUs / fewUs },
      "ratio of as many plans": nearUs / fewUs,
    },
    ...(name === BY_ID ? {} : { goal: { column: "ratio", atMost: RATIO_GOAL } }),
  };
}

const ANSWERS = 3_000;

/** Of so many plans of it, one after another. */
function measureTail({ graph, plans }: Sample, ask: Question, among: number): number {
  const asked = Array.from({ length: ANSWERS }, (_, index) => {
    const place = (index * 7) % among;
    const step = uuidFrom(`step ${place} ${STEPS >> 1}`);
    return { plan: plans[place] ?? "", step };
  });
  const times = asked.map(({ plan, step }) => {
    const started = process.hrtime.bigint();
    ask(graph, plan, step);
    return Number(process.hrtime.bigint() - started) / 1_000;
  });
  return times.toSorted((one, other) => one - other)[Math.floor(ANSWERS * 0.99)] ?? Number.NaN;
}

function compare(
  name: string,
  ask: (sample: Sample, index: number) => void,
  few: Sample,
  many: Sample,
): Figure {
  const costs = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    // The first round warms up, and does not count.
    const [fewUs, manyUs] = [few, many].map((sample) => measure(sample, ask, round));
    if (round > 0) costs.few.push(fewUs ?? 0);
    if (round > 0) costs.many.push(manyUs ?? 0);
  }
  const [fewUs, manyUs] = [median(costs.few), median(costs.many)];
  return {
    name,
    columns: { "few us": fewUs, "many us": manyUs, ratio: manyUs / fewUs },
    goal: { column: "ratio", atMost: name.endsWith("hash") ? HASH_RATIO_GOAL : RATIO_GOAL },
  };
}

function measure(
  sample: Sample,
  ask: (sample: Sample, index: number) => void,
  round: number,
): number {
  readStateHash(sample.graph);
  // Processor time: other work on the machine does not count.
  const started = process.cpuUsage();
  for (let index = 0; index < CHANGES; index++) ask(sample, round * CHANGES + index);
  return process.cpuUsage(started).user / CHANGES;
}
