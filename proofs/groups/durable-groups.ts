/** Groups on a real engine and database, by a worker that is killed, and by the next one. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { type EngineWorld, openEngineWorld } from "../../bench/engine-world.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { answerPeople } from "./answer-people.ts";
import type { GroupProof, GroupTally } from "./group-proof.ts";
import { judgeGroup } from "./judge-group.ts";
import { SCENES, type Scene, startOf, tripLoops } from "./trip-loops.ts";

/** How long each wait may take. */
const WAIT_MS_MAX = 120_000;
const LOOK_EVERY_MS = 50;

export async function groupDurably(proof: GroupProof, tally: GroupTally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-groups-"));
  const order = join(folder, "kill-at");
  const program = new URL("durable-worker.ts", import.meta.url);
  const world = await openEngineWorld({ program, workers: 1, settings: { order } });
  try {
    const { stores, ingress } = world;
    const loops = [...tripLoops()];
    const host = createLocalHost({ loops, stores, signer: crashSigner, put: ingress.put });
    for (const [index, scene] of SCENES.entries()) {
      const stage = { host, world, order, place: join(folder, String(index)) };
      await groupAtEach(scene, stage, proof, tally);
      proof.say(`durable, ${scene.name}: ${tally.kills} kills`);
    }
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly host: LocalHost;
  readonly world: EngineWorld;
  readonly order: string;
  /** What the places of a scene begin with. */
  readonly place: string;
}

/** The same group for each boundary, until there is none any more. */
async function groupAtEach(
  scene: Scene,
  { host, world, order, place: first }: Stage,
  { every, seed }: GroupProof,
  tally: GroupTally,
): Promise<void> {
  const { stores } = world;
  const [loop] = tripLoops();
  for (let at = 1 + (seed % every); ; at += every) {
    const place = `${first}-${at}`;
    mkdirSync(place);
    writeFileSync(order, String(at));
    const { input, start } = startOf(scene, place);
    const run = await host.start(loop as never, input as never, start);
    const carryOn = async (isEnough: () => boolean): Promise<void> => {
      const endMs = performance.now() + WAIT_MS_MAX;
      while (!isEnough() && (await host.show(run))?.stopped == null) {
        if (performance.now() > endMs) throw new Error("it did not happen in time");
        await answerPeople(host, run);
        await sleep(LOOK_EVERY_MS);
      }
    };
    await carryOn(() => !existsSync(order));
    const isKilled = !existsSync(order);
    rmSync(order, { force: true });
    await world.restartWorker();
    if (isKilled) {
      tally.kills += 1;
      tally.boundaries += 1;
      await carryOn(() => false);
    }
    const { problems, isUnknown } = await judgeGroup(scene, place, { stores, run });
    tally.groups += 1;
    tally.unknown += isUnknown ? 1 : 0;
    tally.problems.push(...problems.map((words) => `durable, ${scene.name}, ${at}: ${words}`));
    if (!isKilled) return;
  }
}
