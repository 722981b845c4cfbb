/**
 * Settles changes by several writers (spec/graph.md §3.9). Two writers are in conflict if they saw
 * the same version of a node and want different changes of it. A rule or a person decides which
 * change counts; the others change nothing.
 */
import { canonicalize, type JsonValue } from "@turnseal/protocol";
import { applyChange } from "./apply-change.ts";
import type { Graph } from "./graph.ts";
import type { Changed, GraphChange, Refused } from "./graph-change.ts";

/** A change to a node that somebody saw. */
export interface Write {
  readonly by: string;
  readonly change: Exclude<GraphChange, { readonly kind: "put" }> & { readonly saw: number };
}

/** The winner: the first, the last, or the first name in a list. */
export type ConflictRule =
  | "first"
  | "last"
  /** A person decides. */
  | "person"
  | { readonly prefer: readonly string[] };

export interface Conflict {
  /** The node, and the version that all of them saw. */
  readonly node: string;
  readonly saw: number;
  readonly by: readonly string[];
  /** Whose word was taken; null while a person has to say so. */
  readonly winner: string | null;
  /** By a rule, or by a person. */
  readonly resolvedBy: "rule" | "person" | null;
}

export interface SettledWrites {
  /** The results in the order of the writes; null for a write that does not count. */
  readonly results: readonly (Changed | Refused | null)[];
  readonly conflicts: readonly Conflict[];
}

/** The decisions of people, by node: the writer whose change counts. */
export type Verdicts = Readonly<Record<string, string>>;

/** Finds conflicts, resolves those that can be, and applies the rest. */
export function settleWrites(
  graph: Graph,
  writes: readonly Write[],
  { rule, verdicts = {} }: { readonly rule: ConflictRule; readonly verdicts?: Verdicts },
): SettledWrites {
  const taken = new Set(writes);
  const conflicts: Conflict[] = [];
  for (const group of groupByVersion(writes)) {
    if (!isContested(group)) continue;
    const { node, saw } = placeOf(group[0] as Write);
    const said = Object.hasOwn(verdicts, node) ? verdicts[node] : undefined;
    const byPerson = group.find(({ by }) => by === said);
    const winner = byPerson ?? chooseByRule(group, rule);
    const resolvedBy = byPerson === undefined ? "rule" : "person";
    for (const write of group) if (write.by !== winner?.by) taken.delete(write);
    conflicts.push({
      ...{ node, saw, by: [...new Set(group.map(({ by }) => by))] },
      winner: winner?.by ?? null,
      resolvedBy: winner === undefined ? null : resolvedBy,
    });
  }
  const results = writes.map((write) =>
    taken.has(write) ? applyChange(graph, write.change) : null,
  );
  return { results, conflicts };
}

function placeOf({ change }: Write): { readonly node: string; readonly saw: number } {
  return { node: change.kind === "add" ? change.to : change.id, saw: change.saw };
}

/** Writes to the same version of the same node, in their order. */
function groupByVersion(writes: readonly Write[]): (readonly Write[])[] {
  const groups = new Map<string, Write[]>();
  for (const write of writes) {
    const { node, saw } = placeOf(write);
    const key = `${saw} ${node}`;
    groups.set(key, [...(groups.get(key) ?? []), write]);
  }
  return [...groups.values()];
}

/** Two who want the same are of one mind. */
function isContested(group: readonly Write[]): boolean {
  const people = new Set(group.map(({ by }) => by));
  const wanted = new Set(group.map(({ change }) => canonicalize(change as unknown as JsonValue)));
  return people.size > 1 && wanted.size > 1;
}

function chooseByRule(group: readonly Write[], rule: ConflictRule): Write | undefined {
  if (rule === "first") return group[0];
  if (rule === "last") return group.at(-1);
  if (rule === "person") return undefined;
  const preferred = rule.prefer.find((name) => group.some(({ by }) => by === name));
  return group.find(({ by }) => by === preferred);
}
