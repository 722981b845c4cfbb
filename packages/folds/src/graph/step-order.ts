/**
 * Keeps the steps of plans in an order in which each stands after those it depends on, and finds
 * the dependency that would close a circle.
 *
 * Checks only the steps between the two ends of a new dependency (Pearce and Kelly): a new step, or
 * one that already comes after the other, costs nothing.
 */
import type { Graph, NodeEntry } from "./graph.ts";

/** Makes room for a dependency; false when the step would come to depend on itself. */
export function orderAfter(graph: Graph, step: NodeEntry, needed: NodeEntry): boolean {
  if (step === needed) return false;
  if (needed.order < step.order) return true;
  const above = collect(
    step,
    (entry) => entry.order <= needed.order,
    (entry) => neighbours(graph, entry, "incoming"),
  );
  if (above.includes(needed)) return false;
  const below = collect(
    needed,
    (entry) => entry.order >= step.order,
    (entry) => neighbours(graph, entry, "outgoing"),
  );
  reorder(below, above);
  return true;
}

function collect(
  start: NodeEntry,
  isBetween: (entry: NodeEntry) => boolean,
  listNext: (entry: NodeEntry) => readonly NodeEntry[],
): NodeEntry[] {
  const seen = new Set([start]);
  for (const entry of seen) for (const next of listNext(entry)) if (isBetween(next)) seen.add(next);
  return [...seen];
}

function neighbours(
  { entries }: Graph,
  entry: NodeEntry,
  side: "incoming" | "outgoing",
): readonly NodeEntry[] {
  return [...entry[side].values()]
    .filter(({ kind }) => kind === "DEPENDS_ON")
    .flatMap(({ from, to }) => entries.get(side === "incoming" ? from : to) ?? []);
}

/** The same numbers, dealt out again: first to the needed steps, each side in its order. */
function reorder(below: NodeEntry[], above: NodeEntry[]): void {
  const byOrder = (a: NodeEntry, b: NodeEntry) => a.order - b.order;
  const entries = [...below.sort(byOrder), ...above.sort(byOrder)];
  const orders = entries.map(({ order }) => order).sort((a, b) => a - b);
  for (const [index, entry] of entries.entries()) entry.order = orders[index] ?? entry.order;
}
