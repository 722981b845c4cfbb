/**
 * The worst case of a flow (spec/flow.md §7.1).
 *
 * 1. The amounts of parts in sequence, or beside each other, are added; of the cases, the largest
 *    of each amount counts.
 * 2. Repetitions are multiplied by their maximum: rounds, items, transitions, tries. The node after
 *    the last try comes on top.
 * 3. A machine visits as many states as it has transitions, and one more; a machine without cycles
 *    visits each state once. one that never comes back is in each state once.
 * 4. A group may be undone: its compensations come on top.
 * 5. Items that are runs are bounded as runs: of them the turn records only that they were started.
 */
import {
  type CheckedNode,
  listNodes,
  TRANSITIONS_DEFAULT,
  TRIES_DEFAULT,
  WAIT_MS_DEFAULT,
} from "@turnseal/kernel";
import type { FlowNode, LoopDef } from "@turnseal/protocol";
import { UNDO_SUFFIX } from "@turnseal/protocol/authoring";
import {
  addBounds,
  type Bounds,
  type Counts,
  eitherBounds,
  NOTHING,
  timesBounds,
  timesCounts,
} from "./bounds.ts";

interface Called {
  readonly loopId: string;
  readonly loopVersion?: string | undefined;
}

export interface BoundLoops {
  /** The most for a call of a loop. */
  call(called: Called): Bounds;
  /** The most for a run of a loop that is an item of a fan-out. */
  itemRun(called: Called): Counts;
}

/** The most that a node can come to, with all its tries and what runs in its place. */
export function boundNode(node: CheckedNode, loops: BoundLoops): Bounds {
  const tries = node.retry?.max ?? 1;
  const again = { ...NOTHING, events: tries - 1 };
  const parts = [timesBounds(boundBody(node, loops), tries), again];
  if (node.otherwise !== undefined) parts.push(boundNode(node.otherwise, loops));
  return parts.reduce(addBounds);
}

function boundBody(node: CheckedNode, loops: BoundLoops): Bounds {
  const bound = (child: CheckedNode): Bounds => boundNode(child, loops);
  const sum = (children: readonly CheckedNode[]): Bounds =>
    children.map(bound).reduce(addBounds, NOTHING);
  switch (node.kind) {
    case "call":
      return addBounds(loops.call(node), { ...NOTHING, events: CHILD_EVENTS });
    case "sequence":
      return addBounds(sum(node.nodes), boundUndos(node, loops));
    case "parallel":
      return addBounds(sum(node.branches), fanOutEvents(node.branches.length));
    case "branch":
      return [...node.cases.map((one) => one.do), node.otherCase]
        .map((child) => (child === undefined ? NOTHING : bound(child)))
        .reduce(eitherBounds);
    case "repeat":
      return timesBounds(bound(node.body), node.max);
    case "forEach":
      if (node.spread === "runs") return boundRuns(node, loops);
      return addBounds(timesBounds(bound(node.body), node.max), fanOutEvents(node.max));
    case "machine":
      return boundMachine(node, bound);
    case "wait":
      return addBounds(boundAwaited(node, loops), { ...NOTHING, waits: 1 });
  }
}

/** If a group fails, each member may be undone, by its compensation. */
function boundUndos({ members = [] }: NodeOf<"sequence">, loops: BoundLoops): Bounds {
  return members
    .map(({ loopId, loopVersion }) => {
      const undo = loops.call({ loopId: `${loopId}${UNDO_SUFFIX}`, loopVersion });
      return undo === NOTHING ? NOTHING : addBounds(undo, { ...NOTHING, events: CHILD_EVENTS });
    })
    .reduce(addBounds, NOTHING);
}

/** `child.started` and `child.completed`. */
const CHILD_EVENTS = 2;

/** `fanout.fixed` and an `item.closed` each. */
function fanOutEvents(items: number): Bounds {
  return { ...NOTHING, events: 1 + items };
}

/** A claim and its end; a withdrawn one also has an `item.closed`. */
const RUN_EVENTS = 3;

function boundRuns({ body, max }: NodeOf<"forEach">, loops: BoundLoops): Bounds {
  // The body of a spread fan-out is one plain call.
  const one = body.kind === "call" ? loops.itemRun(body) : NOTHING.runs;
  return { ...NOTHING, events: 1 + RUN_EVENTS * max, runs: timesCounts(one, max) };
}

type NodeOf<Kind extends CheckedNode["kind"]> = Extract<CheckedNode, { readonly kind: Kind }>;

function boundAwaited(node: NodeOf<"wait">, loops: BoundLoops): Bounds {
  if (!("question" in node.for)) return NOTHING;
  return addBounds(loops.call(node.for.question), { ...NOTHING, events: CHILD_EVENTS });
}

function boundMachine(node: NodeOf<"machine">, bound: (child: CheckedNode) => Bounds): Bounds {
  const visits = [...node.states.values()].map(({ onEntry, body, onExit }) =>
    [onEntry, body, onExit]
      .map((part) => (part === undefined ? NOTHING : bound(part)))
      .reduce(addBounds),
  );
  if (!comesBack(node)) return visits.reduce(addBounds, NOTHING);
  return timesBounds(visits.reduce(eitherBounds, NOTHING), node.maxTransitions + 1);
}

/** True when a state can be reached from itself: what is left after all that lead nowhere. */
function comesBack({ states }: NodeOf<"machine">): boolean {
  const left = new Map(states);
  let before = -1;
  while (left.size !== before) {
    before = left.size;
    for (const [name, { isTerminal, transitions }] of left)
      if (isTerminal || !transitions.some(({ next }) => left.has(next))) left.delete(name);
  }
  return left.size > 0;
}

/** Bounds of a flow that its document does not name, as `id path: name number`. */
export function describeFlow({ id, composite }: LoopDef): string[] {
  if (composite?.flow === undefined) return [];
  return listNodes(composite.flow).flatMap(({ node, path }) =>
    listUnnamed(node).map((bound) => `${id} ${path}: ${bound}`),
  );
}

function listUnnamed(node: FlowNode): string[] {
  const unnamed: string[] = [];
  const { retry } = node;
  if (retry !== undefined && retry.max === undefined)
    unnamed.push(`retry.max ${TRIES_DEFAULT[retry.strategy]}`);
  if (node.kind === "machine" && node.maxTransitions === undefined)
    unnamed.push(`maxTransitions ${TRANSITIONS_DEFAULT}`);
  if (node.kind === "wait" && node.withinMs === undefined)
    unnamed.push(`withinMs ${WAIT_MS_DEFAULT}`);
  return unnamed;
}
