/**
 * What one change of a graph costs, and one question, where there are 100,000 nodes and 300,000
 * edges, against where there are 1,000. Only the ratio travels: it says whether a change grows with
 * what is there already.
 */
import {
  applyChange,
  createGraph,
  type Graph,
  readStateHash,
  traverse,
} from "@turnseal/host/graph";
import { uuidFrom } from "@turnseal/protocol";
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
  const figures = Object.entries(questions).map(([name, ask]) => compare(name, ask, few, many));
  const columns = { nodes: many.graph.entries.size, edges: many.graph.edgeCount, ms: buildMs };
  return [...figures, { name: "a graph, built from changes", columns }];
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
const questions: Readonly<Record<string, (sample: Sample, index: number) => void>> = {
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
  "what a step depends on, two deep": ({ graph, plans }, index) => {
    const start = uuidFrom(`step ${index % plans.length} ${STEPS - 1}`);
    traverse(graph, start, { kinds: ["DEPENDS_ON"], direction: "outgoing", depth: 2 });
  },
};

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
  // Time of the processor: whoever else is on the machine does not count.
  const started = process.cpuUsage();
  for (let index = 0; index < CHANGES; index++) ask(sample, round * CHANGES + index);
  return process.cpuUsage(started).user / CHANGES;
}
