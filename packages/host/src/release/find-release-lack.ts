import type { RunProjection } from "@turnseal/folds";
import type { EventLog, Inbox } from "@turnseal/ports";
import { type Block, isPlanLoop, type PinnedLoop, PLAN_TOOL } from "@turnseal/protocol";
import { findUnstarted } from "../state/find-unstarted.ts";
import type { Release } from "./release.ts";

interface ReleaseReader {
  readonly log: Pick<EventLog, "read" | "readHead">;
  readonly inbox: Pick<Inbox, "has">;
}

/** The lack of a release that cannot drive a run; undefined if it has everything. */
export async function findReleaseLack(
  release: Release,
  run: RunProjection,
  stores: ReleaseReader,
): Promise<Block | undefined> {
  const { spec, openTurn } = run;
  if (spec === null || run.stopped !== null) return undefined;
  for (const pin of Object.values(spec.pinned)) {
    const lack = findLack(release, pin, run.definitions !== undefined);
    if (lack !== undefined) return lack;
  }
  if (openTurn === null) return undefined;
  const [started] = await stores.log.read(run.run, openTurn.from, 1);
  const semantics = started?.type === "turn.started" ? started.content.semantics : undefined;
  if (semantics !== undefined && semantics !== release.semantics)
    return { cause: "unspoken", what: `semantics ${semantics}` };
  const resolve = (id: string, version?: string) =>
    release.loops.find((loop) => loop.id === id && (version ?? loop.version) === loop.version);
  return findUnstarted(run, { stores, registry: { resolve } });
}

function findLack(
  { loops }: Release,
  { id, version, digest, refined = [] }: PinnedLoop,
  isKept: boolean,
): Block | undefined {
  // Every worker makes the loop of a plan from the input of its run.
  if (isPlanLoop(id) || id === PLAN_TOOL) return undefined;
  const what = `${id} ${version}`;
  const loop = loops.find((other) => other.id === id && other.version === version);
  if (loop === undefined) return { cause: "loop-missing", what };
  const hasLost = refined.some((side) => loop.refined?.includes(side) !== true);
  // A conversation brings its documents; what is bound to them is the worker's.
  const isOther = loop.digest !== digest && !isKept;
  return isOther || hasLost ? { cause: "loop-changed", what } : undefined;
}
