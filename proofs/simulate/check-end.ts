/**
 * Checks the runs at the end: a stranger accepts each and all of them together, each can be folded
 * again, and every turn replays.
 */
import { loadProjection, type ReplayPorts, replayRun } from "@turnseal/host";
import { bindTools } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { canonicalize, isClaimOf, type LoopEvent } from "@turnseal/protocol";
import { type Finding, type RunToVerify, verifyTree } from "@turnseal/protocol/receipts";
import { checkThreads } from "./check-threads.ts";
import { bindDoers } from "./doers.ts";
import { type Lie, listTraces } from "./hostile-host.ts";
import { registries } from "./loops.ts";
import type { Place } from "./places.ts";
import { PRICES } from "./scenario.ts";
import type { World } from "./world.ts";

export async function checkEnd(world: World): Promise<void> {
  const { stores, places } = world;
  const runs: StoredRun[] = [];
  for (const { run, watch } of places.all()) {
    const receipts = await stores.receipts.list(run, 1);
    const texts = receipts.map(({ envelope }) => canonicalize(envelope));
    const isStopped = watch.projection().stopped !== null;
    runs.push({ run, events: watch.events(), receipts: texts, isStopped });
  }
  const { lie } = world.scenario;
  if (lie !== undefined) await checkLie(world, runs, lie);
  if (lie === undefined || lie === "child-dropped") await checkTree(world, runs);
  for (const place of places.all()) {
    const events = place.watch.events();
    await checkThreads(place.run, { events, sent: place.sent }, world);
    await checkFold(world, place);
    await checkReplay(world, place);
  }
}

interface StoredRun extends RunToVerify {
  readonly events: readonly LoopEvent[];
  readonly isStopped: boolean;
}

/** A lie about a run is found by a verifier with the whole tree. */
async function checkLie(
  { promises, places, tally, keys }: World,
  runs: readonly StoredRun[],
  lie: Lie,
): Promise<void> {
  const { root, all } = places;
  const started = new Set(all().flatMap(({ run, watch }) => (watch.events()[0] ? [run] : [])));
  const traces = listTraces(lie, root.watch.events(), (run) => started.has(run));
  if (traces.length === 0) return;
  const shown = lie === "child-dropped" ? runs.slice(0, 1) : runs;
  const { verdict, ...verified } = await verifyTree(shown, { keys: keys.list() });
  const found = [...verified.runs, verified.set].flatMap(({ findings }) => findings);
  for (const code of traces) {
    const isFound = verdict === "invalid" && found.some((each) => each.code === code);
    promises.hold(isFound, `I5: a host lies as ${lie}, and nobody finds ${code}`);
  }
  tally.count(`answer found ${lie}`);
}

async function checkTree(
  { promises, places, keys }: World,
  runs: readonly StoredRun[],
): Promise<void> {
  const verdict = await verifyTree(runs, { keys: keys.list() });
  for (const [index, { findings }] of verdict.runs.entries()) {
    const found = findings.find((each) => !isStillOpen(each, runs[index]?.isStopped === true));
    promises.hold(found === undefined, `a stranger finds ${found?.code} at ${found?.sequence}`);
  }
  const found = verdict.set.findings.find((each) => !wasNeverStarted(each, runs));
  // Runs without any turn have nothing to show, and a turn that is never closed shows nothing.
  const isWhole =
    runs.some(({ receipts }) => receipts.length > 0) && places.root.blocked === undefined;
  promises.hold(found === undefined || !isWhole, `a stranger finds ${found?.code} between runs`);
}

/**
 * A turn may close before the run that it handed to was started, and nothing proves to a stranger
 * that it never was (spec/run.md §10.5).
 */
function wasNeverStarted({ code, run, sequence }: Finding, runs: readonly StoredRun[]): boolean {
  if (code !== "CHILD_MISSING") return false;
  const parent = runs.find((each) => each.run === run);
  const child = parent?.events
    .filter((event) => isClaimOf("handoff", event))
    .find((event) => event.sequence === sequence)?.content.child;
  return !runs.some((each) => each.run === child && each.events.length > 0);
}

/** A run that has not stopped may have an open turn; a stopped one may have no turn. */
function isStillOpen({ code, sequence }: Finding, isStopped: boolean): boolean {
  if (code === "RUN_UNSEALED") return !isStopped || sequence === undefined;
  return code === "TAIL_UNSEALED" && !isStopped;
}

async function checkFold({ stores, promises }: World, { run, watch }: Place): Promise<void> {
  const projection = watch.projection();
  await stores.runs.drop(run);
  const { sequence, hash } = projection;
  const loaded = await loadProjection(stores, run, { sequence, hash });
  const isEqual =
    loaded.kind === "loaded" && canonicalize(loaded.projection) === canonicalize(projection);
  promises.hold(isEqual, "I7: the log folds to another state than the snapshot had");
}

async function checkReplay({ stores, promises }: World, { run }: Place): Promise<void> {
  for await (const { turn, replayed } of replayRun(run, replayPorts(stores))) {
    const why = replayed.kind === "different" ? replayed.message : "";
    promises.hold(replayed.kind !== "different", `turn ${turn} does not replay: ${why}`);
  }
}

function refuseToAct(): never {
  throw new Error("nothing is executed in a replay");
}

/** What the tools declare, without anything that acts. */
const replayTools = bindTools(
  Object.fromEntries(
    Object.entries(bindDoers(undefined as never)).map(([name, binding]) => [
      name,
      { ...binding, run: refuseToAct, reconcile: refuseToAct },
    ]),
  ),
);

function replayPorts(stores: Stores): ReplayPorts {
  return {
    stores,
    clock: { now: () => 0, after: () => () => {} },
    registry: registries.deployed,
    models: new Map([["scripted", { defaultModel: "scripted", generate: refuseToAct }]]),
    tools: replayTools,
    prices: PRICES,
  };
}
