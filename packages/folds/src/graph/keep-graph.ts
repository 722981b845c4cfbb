/**
 * Keeps the graph of a run as it is written: each event is tried on the graph before it is
 * appended, and its changes are written with it.
 *
 * 1. An event about a plan that breaks a rule is refused: nothing of it is appended or changed.
 * 2. A closed turn leaves only finished nodes, so later turns do not need them. The graph in memory
 *    is that of the open turn, and its cost does not grow with the run.
 */

import { type LoopEvent, PLAN_TOOL, type RunSpec } from "@turnseal/protocol";
import type { GraphRowChange, GraphWrite } from "@turnseal/protocol/graph";
import { foldRun } from "./fold-run.ts";
import type { Objection } from "./run-fold.ts";

export interface GraphKeeper {
  /** Takes in events of the log: all of them, or the first event and the open turn. */
  follow(event: LoopEvent): void;
  /** Takes the next event in; or answers why it is refused, and then nothing has changed. */
  take(event: LoopEvent): Objection | undefined;
  /** The changes since the last time, for the rows of a store. */
  write(): GraphWrite;
}

/** The graph of a run is kept where the run can propose a plan. */
export function keepsGraph({ pinned }: Pick<RunSpec, "pinned">): boolean {
  return Object.values(pinned).some(({ id }) => id === PLAN_TOOL);
}

/** Makes a keeper. With `from`, rows up to that event exist already. */
export function keepGraph(run: string, from = 0): GraphKeeper {
  let changes: GraphRowChange[] = [];
  /** The first event, and those of the open turn: the graph at hand is made of them. */
  let known: LoopEvent[] = [];
  let [written, last] = [from, from];
  let fold = foldRun(run);
  const foldAgain = (): void => {
    let isTold = false;
    fold = foldRun(run, undefined, (change) => {
      if (isTold) changes.push(change);
    });
    for (const event of known) fold.follow(event);
    isTold = true;
  };
  const keep = (event: LoopEvent): void => {
    last = Math.max(last, event.sequence);
    if (event.type === "turn.closed") {
      known = known.slice(0, 1);
      foldAgain();
    } else if (known.length !== 1 || event.type === "turn.started") known.push(event);
  };
  foldAgain();
  return {
    follow: (event) => {
      fold.follow(event);
      keep(event);
      // Rows that are there have it already.
      if (event.sequence <= from) changes = [];
    },
    take: (event) => {
      const before = { changes: changes.length, objections: fold.objections().length };
      fold.follow(event);
      const objection = fold.objections()[before.objections];
      if (objection === undefined || !planTypes.has(event.type)) {
        keep(event);
        return undefined;
      }
      changes.length = before.changes;
      foldAgain();
      return objection;
    },
    write: () => {
      const write = { from: written, changes };
      [written, changes] = [last, []];
      return write;
    },
  };
}

const planTypes: ReadonlySet<string> = new Set(["plan.proposed", "plan.decided", "plan.closed"]);

/** The rows of a graph, made from the whole log of its run. */
export function foldRows(run: string, events: readonly LoopEvent[]): readonly GraphRowChange[] {
  const keeper = keepGraph(run);
  for (const event of events) keeper.follow(event);
  return keeper.write().changes;
}
