/** Checks the runs at the end: a stranger accepts them, and every turn replays. */
import { loadProjection, replayRun } from "@turnseal/host";
import { bindTools } from "@turnseal/kernel";
import { canonicalize, isClaimOf } from "@turnseal/protocol";
import { type Finding, type RunToVerify, verifyTree } from "@turnseal/protocol/receipts";
import { bindDoers } from "./doers.ts";
import type { Place } from "./places.ts";
import type { FlowWorld } from "./world.ts";

export async function checkEnd(world: FlowWorld): Promise<RunToVerify[]> {
  const { places, promises, keys } = world;
  const runs = await listRuns(world);
  const verdict = await verifyTree(runs, { keys: keys.list() });
  const found = [...verdict.runs.flatMap(({ findings }) => findings), ...verdict.set.findings];
  const fault = found.find(
    (finding) => !wasNeverStarted(finding, world) && !hasNoTurn(finding, world),
  );
  const where = fault?.sequence === undefined ? "" : ` at ${fault.sequence}`;
  promises.hold(fault === undefined, `a stranger finds ${fault?.code}${where}`);
  for (const place of places.all()) {
    place.watch.checkEnd();
    await checkFold(world, place);
    await checkReplay(world, place);
  }
  return runs;
}

/** A run that is cancelled before its first turn has nothing to show. */
function hasNoTurn({ code }: Finding, { isCancelled, places }: FlowWorld): boolean {
  if (!isCancelled || (code !== "RUN_UNSEALED" && code !== "SET_MISSING")) return false;
  return !places.root.watch.events().some(({ type }) => type === "turn.started");
}

async function listRuns({ stores, places }: FlowWorld): Promise<RunToVerify[]> {
  const runs: RunToVerify[] = [];
  for (const { run, watch } of places.all()) {
    const receipts = await stores.receipts.list(run, 1);
    const texts = receipts.map(({ envelope }) => canonicalize(envelope));
    runs.push({ run, events: watch.events(), receipts: texts });
  }
  return runs;
}

/** A turn may close before a run that it handed to was started (spec/run.md §10.5). */
function wasNeverStarted({ code, run, sequence }: Finding, { places }: FlowWorld): boolean {
  if (code !== "CHILD_MISSING" || run === undefined) return false;
  const claim = places.at(run).watch.events()[(sequence ?? 0) - 1];
  if (claim === undefined || !isClaimOf("handoff", claim)) return false;
  const { child } = claim.content;
  return !places.all().some((place) => place.run === child && place.watch.events().length > 0);
}

async function checkFold({ stores, promises }: FlowWorld, { run, watch }: Place): Promise<void> {
  const projection = watch.projection();
  await stores.runs.drop(run);
  const { sequence, hash } = projection;
  const loaded = await loadProjection(stores, run, { sequence, hash });
  const isEqual =
    loaded.kind === "loaded" && canonicalize(loaded.projection) === canonicalize(projection);
  promises.hold(isEqual, "the log folds to another state than the run had");
}

async function checkReplay(world: FlowWorld, { run }: Place): Promise<void> {
  const { stores, promises, scenario } = world;
  const ports = {
    stores,
    clock: { now: () => 0, after: () => () => {} },
    registry: scenario.loops.registry,
    models: new Map([["scripted", { defaultModel: "scripted", generate: refuseToAct }]]),
    tools: replayTools,
  };
  for await (const { turn, replayed } of replayRun(run, ports)) {
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
