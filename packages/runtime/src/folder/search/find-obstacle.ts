import type { RunProjection } from "@turnseal/folds";
import {
  findReleaseLack,
  findUnstarted,
  type KnownRun,
  openPinnedLoops,
  type Release,
} from "@turnseal/host";
import { type BoundTools, findTurnLoops, type Registry, SEMANTICS } from "@turnseal/kernel";
import { hasRunKey } from "@turnseal/ports";
import type { Block, Obstacle, PinnedLoop } from "@turnseal/protocol";
import { compareLoops, type LoopChange } from "@turnseal/views";
import { readKeptLoop } from "../origins/kept-loops.ts";
import type { StoreFolder } from "../store-folder.ts";

/** Why a run cannot go on as things are, and what is missing, by name. */
export interface FoundObstacle {
  readonly why: Obstacle;
  readonly what?: string;
  /** When it is over by itself, where that is known. */
  readonly until?: string;
  /** The changes of a loop, if its earlier document was kept. */
  readonly changes?: readonly LoopChange[];
}

/** The loops that would drive a run. */
export interface LoopsHere {
  readonly registry: Registry;
  readonly tools: BoundTools;
}

/**
 * Looks for what keeps a run from going on; undefined when nothing does. Without loops to compare
 * with, it is what every release lacks that is deployed, or what the last worker that looked has
 * recorded.
 */
export async function findObstacle(
  { stores, path, engine }: StoreFolder,
  { run, projection }: Pick<KnownRun, "run" | "projection">,
  here?: LoopsHere,
): Promise<FoundObstacle | undefined> {
  if (projection === undefined || projection.stopped !== null) return undefined;
  const head = await stores.log.readHead(run);
  // The head only grows: a head behind an earlier read has lost events.
  if (head === undefined || head.sequence < projection.sequence) return { why: "stale" };
  if (projection.sequence === 0) return undefined;
  // A run that has events has a key, unless it was erased.
  if (!(await hasRunKey(stores.blobs, run))) return { why: "content-erased" };
  const { spec, blocked, openTurn } = projection;
  const recorded = openTurn == null ? [] : await stores.log.read(run, openTurn.from, 1);
  if (here !== undefined && spec !== null) {
    const registry = await openPinnedLoops(projection, { stores, registry: here.registry });
    const found = findTurnLoops({ ...spec, recorded }, { ...here, registry });
    const block =
      found.kind === "blocked"
        ? found.block
        : await findUnstarted(projection, { stores, registry: here.registry });
    if (block === undefined) return undefined;
    const pins = Object.values(spec.pinned);
    const pin = pins.find(({ id, version }) => `${id} ${version}` === block.what);
    const changes = await findChanges(path, pin, here.registry);
    return { ...named(block), ...(changes.length === 0 ? {} : { changes }) };
  }
  const lack =
    engine && (await findLackEverywhere(await engine.listReleases(), projection, stores));
  if (lack !== undefined) return named(lack);
  if (blocked != null) return named(blocked);
  const [started] = recorded;
  const semantics = started?.type === "turn.started" ? started.content.semantics : SEMANTICS;
  return semantics === SEMANTICS ? undefined : { why: "unspoken", what: `semantics ${semantics}` };
}

/** The lack of the release that runs are handed to first, if every release lacks something. */
async function findLackEverywhere(
  releases: readonly Release[],
  projection: RunProjection,
  stores: StoreFolder["stores"],
): Promise<Block | undefined> {
  let first: Block | undefined;
  for (const release of releases) {
    const lack = await findReleaseLack(release, projection, stores);
    if (lack === undefined) return undefined;
    first ??= lack;
  }
  return first;
}

async function findChanges(
  folder: string,
  pinned: PinnedLoop | undefined,
  registry: Registry,
): Promise<readonly LoopChange[]> {
  const now = pinned && registry.resolve(pinned.id, pinned.version);
  if (now === undefined || now.digest === pinned?.digest) return [];
  const before = pinned && (await readKeptLoop(folder, pinned.digest));
  return before === undefined ? [] : compareLoops(before, now.definition);
}

function named({ cause, what, until }: Block): FoundObstacle {
  return { why: cause, what, ...(until === undefined ? {} : { until }) };
}
