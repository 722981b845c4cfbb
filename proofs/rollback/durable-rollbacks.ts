/** Rollbacks on a real engine and database, by a worker that is killed, and by the next one. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { type EngineWorld, openEngineWorld } from "../../bench/engine-world.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { approve, askRollback, type Carrier } from "./ask-rollback.ts";
import { describeCheckpoint, judgeRollback } from "./judge-rollback.ts";
import type { RollbackProof, RollbackTally } from "./rollback-proof.ts";
import { makePlace, readFiles, shelfLoops, shelfRoots } from "./shelf-loops.ts";

/** How long each wait may take. */
const WAIT_MS_MAX = 120_000;
const LOOK_EVERY_MS = 50;

export async function rollBackDurably(proof: RollbackProof, tally: RollbackTally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-rollback-"));
  const order = join(folder, "kill-at");
  const program = new URL("durable-worker.ts", import.meta.url);
  const world = await openEngineWorld({ program, workers: 1, settings: { order, folder } });
  try {
    const { stores, ingress } = world;
    const host = createLocalHost({
      ...{ loops: [...shelfLoops()], stores, signer: crashSigner, put: ingress.put },
      roots: shelfRoots(folder),
    });
    for (const failing of proof.failures) {
      tally.plans += 1;
      await rollBackAtEach(failing, { host, world, folder, order }, proof, tally);
      proof.say(`durable, step ${failing} failing: ${tally.kills} kills`);
    }
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly host: LocalHost;
  readonly world: EngineWorld;
  readonly folder: string;
  readonly order: string;
}

/** The same plan and rollback for each boundary, until there is none any more. */
async function rollBackAtEach(
  failing: number,
  { host, world, folder, order }: Stage,
  { every, seed }: RollbackProof,
  tally: RollbackTally,
): Promise<void> {
  const carrier = carrierOf(host);
  for (let at = 1 + (seed % every); ; at += every) {
    const place = join(folder, `fails-${failing}-${at}`);
    makePlace(place);
    const before = readFiles(place);
    const asked = await askRollback(place, failing, carrier);
    if (asked === undefined) return;
    const checkpoint = await describeCheckpoint(world.stores, asked.run);
    writeFileSync(order, String(at));
    await approve(host, asked.rollback);
    await until(async () => {
      const isOver = (await host.show(asked.rollback))?.stopped != null;
      return isOver || !existsSync(order);
    });
    const isKilled = !existsSync(order);
    rmSync(order, { force: true });
    if (isKilled) {
      tally.kills += 1;
      tally.boundaries += 1;
      await world.restartWorker();
    }
    await carrier.untilStopped(asked.rollback);
    const projection = await host.show(asked.rollback);
    const expected = { ...asked, place, failing, before, checkpoint };
    const problems = await judgeRollback(expected, world.stores, projection);
    tally.rollbacks += 1;
    tally.problems.push(...problems.map((words) => `durable, step ${failing}, ${at}: ${words}`));
    if (!isKilled) {
      // What it counted would count for the next one.
      await world.restartWorker();
      return;
    }
  }
}

function carrierOf(host: LocalHost): Carrier {
  return {
    host,
    untilAsked: (run) => until(async () => (await host.requests(run)).length > 0),
    untilStopped: (run) => until(async () => (await host.show(run))?.stopped != null),
  };
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MS_MAX;
  while (!(await look())) {
    if (performance.now() > endMs) throw new Error("it did not happen in time");
    await sleep(LOOK_EVERY_MS);
  }
}
