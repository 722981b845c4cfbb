/**
 * What must hold of the runs when all is over: a stranger accepts each and all of them together,
 * each can be folded again, and every turn replays.
 */
import { loadProjection, type ReplayPorts, replayRun } from "@turnseal/host";
import type { Stores, ToolBinding } from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import { type RunToVerify, verifyTree } from "@turnseal/protocol/receipts";
import { bindDoers } from "./doers.ts";
import { registries } from "./loops.ts";
import type { Place } from "./places.ts";
import { PRICES } from "./scenario.ts";
import { verificationKey } from "./signing-key.ts";
import type { World } from "./world.ts";

export async function checkEnd(world: World): Promise<void> {
  const { stores, promises, places } = world;
  const runs: RunToVerify[] = [];
  for (const { run, watch } of places.all()) {
    const receipts = await stores.receipts.list(run, 1);
    const texts = receipts.map(({ envelope }) => canonicalize(envelope));
    runs.push({ run, events: watch.events(), receipts: texts });
  }
  const verdict = await verifyTree(runs, { keys: [verificationKey] });
  for (const { findings } of verdict.runs) {
    const [found] = findings;
    promises.hold(found === undefined, `a stranger finds ${found?.code} at ${found?.sequence}`);
  }
  const [found] = verdict.set.findings;
  // Runs without any turn have nothing to show, and a turn that is never closed shows nothing.
  const isWhole =
    runs.some(({ receipts }) => receipts.length > 0) && places.root.blocked === undefined;
  promises.hold(found === undefined || !isWhole, `a stranger finds ${found?.code} between runs`);
  for (const place of places.all()) {
    await checkFold(world, place);
    await checkReplay(world, place);
  }
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
const replayTools = new Map(
  [...bindDoers(undefined as never)].map(([name, binding]): [string, ToolBinding] => [
    name,
    { ...binding, run: refuseToAct, reconcile: refuseToAct },
  ]),
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
