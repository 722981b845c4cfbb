/** Rollbacks over SQLite, by a process that is killed at a boundary, and by the next one. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { bundleWorker } from "../kit/bundle-worker.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { runProcess } from "../kit/processes.ts";
import { type AskedRollback, approve, askRollback } from "./ask-rollback.ts";
import { describeCheckpoint, judgeRollback } from "./judge-rollback.ts";
import type { RollbackProof, RollbackTally } from "./rollback-proof.ts";
import { makePlace, readFiles, shelfLoops, shelfRoots } from "./shelf-loops.ts";

export async function rollBackLocally(
  { every, seed, failures, say }: RollbackProof,
  tally: RollbackTally,
): Promise<void> {
  const program = await bundleWorker(new URL("worker.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "turnseal-rollback-"));
  try {
    for (const failing of failures) {
      const stage = await openStage(join(folder, `fails-${failing}`), failing, program);
      tally.plans += 1;
      if (stage === undefined) continue;
      const boundaries = Number(stage.carryOn(0).said);
      tally.boundaries += boundaries;
      await stage.judge(tally);
      for (let at = 1 + (seed % every); at <= boundaries; at += every) {
        stage.putBack();
        const killed = stage.carryOn(at);
        if (killed.isKilled) tally.kills += 1;
        else tally.problems.push(`no kill at boundary ${at} with step ${failing} failing`);
        stage.carryOn(0);
        await stage.judge(tally);
      }
      say(`sqlite, step ${failing} failing: ${boundaries} boundaries, ${tally.kills} kills`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openStage(place: string, failing: number, program: string) {
  makePlace(place);
  const before = readFiles(place);
  const file = join(place, "runs.db");
  const asked = await prepare(place, file, failing);
  if (asked === undefined) return undefined;
  const { checkpoint } = asked;
  const copy = `${place}-copy`;
  cpSync(place, copy, { recursive: true });
  return {
    putBack: () => {
      rmSync(place, { recursive: true });
      cpSync(copy, place, { recursive: true });
    },
    carryOn: (killAt: number) => runProcess(program, [file, asked.rollback, String(killAt)]),
    judge: async (tally: RollbackTally) => {
      const stores = sqliteStores({ file });
      const host = openShelf(place, stores);
      const projection = await host.show(asked.rollback);
      const expected = { ...asked, place, failing, before, checkpoint };
      const problems = await judgeRollback(expected, stores, projection);
      tally.rollbacks += 1;
      tally.problems.push(...problems.map((words) => `sqlite, step ${failing}: ${words}`));
      stores.close();
    },
  };
}

/** Carries out the plan, and asks for its rollback, without being disturbed. */
async function prepare(
  place: string,
  file: string,
  failing: number,
): Promise<(AskedRollback & { readonly checkpoint: string }) | undefined> {
  const stores = sqliteStores({ file });
  const host = openShelf(place, stores);
  const go = async (run: string) => void (await host.drive(run));
  const asked = await askRollback(place, failing, { host, untilAsked: go, untilStopped: go });
  if (asked !== undefined) await approve(host, asked.rollback);
  const checkpoint = asked === undefined ? "" : await describeCheckpoint(stores, asked.run);
  stores.close();
  return asked && { ...asked, checkpoint };
}

function openShelf(place: string, stores: Stores): LocalHost {
  const roots = shelfRoots(dirname(place));
  return createLocalHost({ loops: shelfLoops(), stores, signer: crashSigner, roots });
}
