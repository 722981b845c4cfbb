/** Groups over SQLite, by a process that is killed at a boundary, and by the next one. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost } from "@turnseal/host";
import { bundleWorker } from "../kit/bundle-worker.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { runProcess } from "../kit/processes.ts";
import type { GroupProof, GroupTally } from "./group-proof.ts";
import { judgeGroup } from "./judge-group.ts";
import { SCENES, type Scene, startOf, tripLoops } from "./trip-loops.ts";

export async function groupLocally(
  { every, seed, say, fault }: GroupProof,
  tally: GroupTally,
): Promise<void> {
  const program = await bundleWorker(new URL("worker.ts", import.meta.url), fault);
  const folder = mkdtempSync(join(tmpdir(), "turnseal-groups-"));
  try {
    for (const [index, scene] of SCENES.entries()) {
      const whole = await openStage(join(folder, `${index}-0`), scene, program);
      const boundaries = Number(whole.carryOn(0).said);
      await whole.judge(tally, 0);
      tally.boundaries += boundaries;
      for (let at = 1 + (seed % every); at <= boundaries; at += every) {
        const stage = await openStage(join(folder, `${index}-${at}`), scene, program);
        const killed = stage.carryOn(at);
        if (killed.isKilled) tally.kills += 1;
        else tally.problems.push(`no kill at boundary ${at} where ${scene.name}`);
        stage.carryOn(0);
        await stage.judge(tally, at);
      }
      say(`sqlite, ${scene.name}: ${boundaries} boundaries, ${tally.kills} kills`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openStage(place: string, scene: Scene, program: string) {
  mkdirSync(place);
  const file = join(place, "runs.db");
  const loops = tripLoops();
  const stores = sqliteStores({ file });
  const host = createLocalHost({ loops, stores, signer: crashSigner });
  const { input, start } = startOf(scene, place);
  const run = await host.start(loops[0] as never, input as never, start);
  stores.close();
  return {
    carryOn: (killAt: number) => runProcess(program, [file, run, String(killAt)]),
    judge: async (tally: GroupTally, at: number) => {
      const again = sqliteStores({ file });
      const { problems, isUnknown } = await judgeGroup(scene, place, { stores: again, run });
      again.close();
      tally.groups += 1;
      tally.unknown += isUnknown ? 1 : 0;
      tally.problems.push(...problems.map((words) => `sqlite, ${scene.name}, ${at}: ${words}`));
    },
  };
}
