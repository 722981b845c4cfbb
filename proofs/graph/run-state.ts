/**
 * Everything that an append writes of a run, as one text: as a store has it, and as it follows from
 * the log alone. Where something is half done, they differ.
 */
import { foldRows } from "@turnseal/folds/graph";
import { sampleBlob } from "@turnseal/ports/contracts";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import type { GraphEdgeRow, GraphNodeRow, GraphRowChange } from "@turnseal/protocol/graph";
import { readRows } from "./graph-log.ts";
import { type CrashedStores, contentAfter, EVENTS_MAX } from "./open-transitions.ts";

export async function readState(stores: CrashedStores, run: string): Promise<string> {
  const { log, graphs, blobs, receipts, runs } = stores;
  const events = await log.read(run, 1);
  const head = await log.readHead(run);
  const content: boolean[] = [];
  for (const digest of contentAround(events.length))
    content.push((await blobs.read(run, digest)) !== undefined);
  return canonicalize({
    ...{ events, rows: await readRows(stores, run), content },
    ...{ head: head?.hash ?? "", headAt: head?.sequence ?? 0 },
    rowsAt: (await graphs.readSequence(run)) ?? 0,
    receipts: (await receipts.list(run, 1)).map(({ turn }) => turn),
    snapshot: (await runs.read(run))?.sequence ?? 0,
  } as never);
}

/** The exact state of a store after these events. */
export function stateAfter(run: string, events: readonly LoopEvent[]): string {
  const at = events.length;
  return canonicalize({
    ...{ events, rows: sortRows(foldRows(run, events)) },
    content: contentAround(at).map((_, place) => place === 0 && at > 0),
    ...{ head: events.at(-1)?.hash ?? "", headAt: at, rowsAt: at, snapshot: at },
    receipts: events.filter(({ type }) => type === "turn.closed").map(({ turn }) => turn),
  } as never);
}

/** The content of the last append, and what the next one would have. */
function contentAround(at: number): string[] {
  const places = Array.from({ length: EVENTS_MAX + 1 }, (_, place) => at + place);
  return places.map((place) => sampleBlob(contentAfter(place)).digest);
}

/** The rows that changes leave, in the order of a store. */
function sortRows(changes: readonly GraphRowChange[]): string {
  const nodes = new Map<string, GraphNodeRow>();
  const edges = new Map<string, GraphEdgeRow>();
  const keyOf = ({ from, kind, to }: GraphEdgeRow) => `${from} ${kind} ${to}`;
  for (const change of changes) {
    if (change.kind === "node") nodes.set(change.node.id, change.node);
    if (change.kind === "node-removed") nodes.delete(change.id);
    if (change.kind === "edge") edges.set(keyOf(change.edge), change.edge);
    if (change.kind === "edge-removed") edges.delete(keyOf(change.edge));
  }
  const sorted = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
    [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return canonicalize({ nodes: sorted(nodes), edges: sorted(edges) } as never);
}
