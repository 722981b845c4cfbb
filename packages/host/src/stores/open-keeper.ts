import type { RunProjection } from "@turnseal/folds";
import { type GraphKeeper, keepGraph, keepsGraph } from "@turnseal/folds/graph";
import type { Stores } from "@turnseal/ports";
import type { Head } from "@turnseal/protocol";
import { readEvents } from "../state/load-projection.ts";

/**
 * The keeper of a run's graph, if the run has a log and keeps its graph. If an older program has
 * written the log without the rows, the rows are rebuilt.
 */
export async function openKeeper(
  { run, spec, openTurn }: Pick<RunProjection, "run" | "spec" | "openTurn">,
  { log, graphs }: Pick<Stores, "log" | "graphs">,
  head: Head,
): Promise<GraphKeeper | undefined> {
  if (spec === null || !keepsGraph(spec)) return undefined;
  const isCurrent = graphs === undefined || (await graphs.readSequence(run)) === head.sequence;
  const keeper = keepGraph(run, isCurrent ? head.sequence : 0);
  if (!isCurrent) {
    for await (const event of readEvents(log, run, 1)) keeper.follow(event);
    return keeper;
  }
  for (const event of await log.read(run, 1, 1)) keeper.follow(event);
  if (openTurn === null) return keeper;
  for await (const event of readEvents(log, run, openTurn.from)) keeper.follow(event);
  return keeper;
}
