import type { JsonObject } from "@turnseal/protocol";
import type { Graph, GraphNode } from "./graph.ts";

/** An object of a graph with its parts, as it would be put into one; undefined where none is. */
export function readWhole({ entries }: Graph, id: string): JsonObject | undefined {
  const entry = entries.get(id);
  if (entry === undefined) return undefined;
  const { type, object } = entry.node;
  const named = partNames[type];
  const whole = object as unknown as JsonObject;
  if (named === undefined) return whole;
  const parts: GraphNode[] = [];
  for (const { kind, to } of entry.outgoing.values()) {
    const part = kind === "CONTAINS" ? entries.get(to)?.node : undefined;
    if (part !== undefined) parts.push(part);
  }
  parts.sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  return { ...whole, [named]: parts.map((part) => part.object as unknown as JsonObject) };
}

const partNames: Readonly<Partial<Record<GraphNode["type"], string>>> = {
  plan: "steps",
  trace: "segments",
};
