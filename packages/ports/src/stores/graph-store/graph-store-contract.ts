import { strict as assert } from "node:assert";
import type { GraphEdgeRow, GraphNodeRow, GraphRowChange } from "@turnseal/protocol/graph";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import { headAfter, OTHER_RUN, SAMPLE_RUN, sampleAppend, takeAndAppend } from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSentences, StoresSubject } from "../stores-subject.ts";
import { GRAPH_ROWS_MAX, type GraphStore } from "./graph-store.ts";

/** The contract of every store of graphs. */
export function graphStoreContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const sentences: StoresSentences = {
  "the rows of a graph are there with their append, and stand where it ends": async ({
    stores,
  }) => {
    const graphs = graphsOf(stores);
    assert.equal(await graphs.readSequence(SAMPLE_RUN), undefined);
    const first = await takeAndAppend(stores, { count: 2 }, { graph: { from: 0, changes } });
    assert.equal(await graphs.readSequence(SAMPLE_RUN), 2);
    await expectRows(graphs, { nodes: [context, plan, step], edges });
    const moved = toNode("plan", 2, { status: "proposed" }, 2);
    const graph = { from: 2, changes: [{ kind: "node", node: moved }] as const };
    const next = sampleAppend({ epoch: first.epoch, after: headAfter(first) }, { graph });
    await stores.log.append(next);
    await stores.log.append(next);
    assert.equal(await graphs.readSequence(SAMPLE_RUN), 3);
    await expectRows(graphs, { nodes: [context, moved, step], edges });
    assert.deepEqual(await graphs.listNodes(OTHER_RUN), []);
  },
  "an append that is not made leaves the rows of its graph": async ({ stores }) => {
    const graphs = graphsOf(stores);
    const first = await takeAndAppend(stores, {}, { graph: { from: 0, changes } });
    const graph = { from: 0, changes: [] };
    const other = sampleAppend({ epoch: first.epoch, note: "other" }, { graph });
    assert.equal((await stores.log.append(other)).kind, "conflict");
    await expectRows(graphs, { nodes: [context, plan, step], edges });
  },
  "rows that do not fit throw, and leave nothing of their append": async ({ stores }) => {
    const first = await takeAndAppend(stores, {}, { graph: { from: 0, changes } });
    const stale: GraphRowChange = { kind: "node", node: { ...plan, version: 3 } };
    const graph = { from: 1, changes: [stale] };
    const next = sampleAppend({ epoch: first.epoch, after: headAfter(first) }, { graph });
    await assert.rejects(stores.log.append(next));
    const elsewhere = { ...next, graph: { from: 7, changes: [] } };
    await assert.rejects(stores.log.append(elsewhere));
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), first.events);
    await expectRows(graphsOf(stores), { nodes: [context, plan, step], edges });
  },
  "an append without a graph leaves the rows behind the log": async ({ stores }) => {
    const graphs = graphsOf(stores);
    await takeAndAppend(stores, {}, { graph: { from: 0, changes } });
    await takeAndAppend(stores);
    assert.equal(await graphs.readSequence(SAMPLE_RUN), 1);
    await expectRows(graphs, { nodes: [context, plan, step], edges });
  },
  "a graph is written anew at the event where the log stands, and nowhere else": async ({
    stores,
  }) => {
    const graphs = graphsOf(stores);
    await takeAndAppend(stores, { count: 3 }, { graph: { from: 0, changes } });
    const rewritten = { changes: [{ kind: "node", node: context }] as const };
    assert.equal(await graphs.rewrite(SAMPLE_RUN, { sequence: 2, ...rewritten }), "moved");
    assert.equal(await graphs.rewrite(OTHER_RUN, { sequence: 3, ...rewritten }), "moved");
    await expectRows(graphs, { nodes: [context, plan, step], edges });
    assert.equal(await graphs.rewrite(SAMPLE_RUN, { sequence: 3, ...rewritten }), "rewritten");
    await expectRows(graphs, { nodes: [context], edges: [] });
  },
  "a graph that is dropped is gone, and the log stays": async ({ stores }) => {
    const graphs = graphsOf(stores);
    const { events } = await takeAndAppend(stores, {}, { graph: { from: 0, changes } });
    await graphs.drop(SAMPLE_RUN);
    await graphs.drop(OTHER_RUN);
    assert.equal(await graphs.readSequence(SAMPLE_RUN), undefined);
    await expectRows(graphs, { nodes: [], edges: [] });
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), events);
  },
  "an erasure leaves the graph": async ({ stores }) => {
    await takeAndAppend(stores, {}, { graph: { from: 0, changes } });
    await stores.blobs.erase(SAMPLE_RUN);
    await expectRows(graphsOf(stores), { nodes: [context, plan, step], edges });
  },
  "rows are listed in their order, at most GRAPH_ROWS_MAX after one": async ({ stores }) => {
    const graphs = graphsOf(stores);
    const roles = Array.from({ length: GRAPH_ROWS_MAX + 1 }, (_, at) => toNode("role", 100 + at));
    const put = roles.map((node): GraphRowChange => ({ kind: "node", node }));
    await takeAndAppend(stores, {}, { graph: { from: 0, changes: put.toReversed() } });
    assert.deepEqual(await graphs.listNodes(SAMPLE_RUN), roles.slice(0, GRAPH_ROWS_MAX));
    assert.deepEqual(await graphs.listNodes(SAMPLE_RUN, roles[GRAPH_ROWS_MAX - 1]?.id), [
      roles.at(-1),
    ]);
  },
};

function graphsOf({ graphs }: Stores): GraphStore {
  assert.ok(graphs !== undefined, "the stores keep no graphs");
  return graphs;
}

interface Rows {
  readonly nodes: readonly GraphNodeRow[];
  readonly edges: readonly GraphEdgeRow[];
}

async function expectRows(graphs: GraphStore, { nodes, edges: known }: Rows): Promise<void> {
  assert.deepEqual(await graphs.listNodes(SAMPLE_RUN), nodes);
  assert.deepEqual(await graphs.listEdges(SAMPLE_RUN), known);
  const [first] = known;
  if (first !== undefined)
    assert.deepEqual(await graphs.listEdges(SAMPLE_RUN, first), known.slice(1));
}

function idOf(number: number): string {
  return `${String(number).padStart(8, "0")}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
}

function toNode(
  type: string,
  number: number,
  object: { readonly status?: string } = {},
  version = 1,
): GraphNodeRow {
  const { status = "" } = object;
  return { id: idOf(number), type, status, version, owner: null, place: null, object };
}

const context = toNode("context", 1, { status: "draft" });
const plan = toNode("plan", 2, { status: "draft" });
const step = { ...toNode("step", 3, { status: "pending" }), owner: plan.id, place: 0 };
const edges: readonly GraphEdgeRow[] = [
  { kind: "CONTAINS", from: plan.id, to: step.id },
  { kind: "HAS_CONTEXT", from: plan.id, to: context.id },
];
const changes: readonly GraphRowChange[] = [
  ...[context, plan, step].map((node): GraphRowChange => ({ kind: "node", node })),
  ...edges.map((edge): GraphRowChange => ({ kind: "edge", edge })),
];
