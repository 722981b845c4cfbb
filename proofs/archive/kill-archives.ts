/**
 * Archives many ended runs with the command itself, which is killed again and again, at moments
 * that come from a seed. After each kill some runs are read, from the database or the archive, and
 * after the last one all; at the end all are there, once.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { folderArchive } from "@turnseal/adapters/archive";
import { migratePostgres, openPostgresPool, type PostgresPool } from "@turnseal/adapters/postgres";
import { collectRun } from "@turnseal/host";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { createDurableFolder } from "@turnseal/runtime/engine";
import { bundleNameOf, openSigner, readPublicKeys, withArchived } from "@turnseal/runtime/folder";
import pg from "pg";
import type { Say } from "../../tools/command/progress.ts";
import { killProcess } from "../kit/processes.ts";
import { createRandom, type RandomSource } from "../kit/random-source.ts";
import { type MadeRun, makeRuns } from "./make-runs.ts";

const server =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const program = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));
const TENANTS = ["acme", "beta", "gamma"];
/** Runs that are read whole after each kill but the last. */
const READ_MAX = 200;
const READ_AT_ONCE = 4;
const COUNT = "select count(*) from turnseal.archived";
const KILL_MS = 50;

export interface ArchiveProof {
  readonly runs: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: Say;
}

export interface ArchiveFigures {
  readonly archived: number;
  readonly archivedWhenKilled: number;
  readonly read: number;
  readonly lost: number;
  readonly notVerified: number;
  readonly changed: number;
  readonly periodsLeft: number;
  /** Files that a killed command had not finished. */
  readonly draftsLeft: number;
  readonly seconds: number;
}

interface World {
  readonly url: string;
  readonly store: string;
  readonly to: string;
  readonly pool: PostgresPool;
  readonly keys: readonly PublicKey[];
  readonly made: MadeRun[];
  readonly say: Say;
}

export async function killArchives(proof: ArchiveProof): Promise<ArchiveFigures> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-archive-proof-"));
  const name = `turnseal_archive_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await ask(server, `create database ${name} template template0`);
  const { roles } = await migratePostgres({ url: url.href });
  const pool = await openPostgresPool({ url: url.href });
  try {
    const store = join(folder, "store");
    const path = await createDurableFolder(store);
    const signer = await openSigner(path, {});
    const keys = await readPublicKeys(path);
    const world = {
      url: url.href,
      store,
      to: join(folder, "to"),
      pool,
      keys,
      made: [],
      say: proof.say,
    };
    return await proveIn(world, signer, proof);
  } finally {
    await pool.close();
    await ask(server, `drop database ${name} with (force)`);
    for (const role of Object.values(roles)) await ask(server, `drop role "${role}"`);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveIn(
  world: World,
  signer: Awaited<ReturnType<typeof openSigner>>,
  { runs, kills, seed, say }: ArchiveProof,
): Promise<ArchiveFigures> {
  const { pool, made, url } = world;
  await makeRuns({
    ...{ pool, signer, tenants: TENANTS, count: runs },
    onMade: (run) => say(`${made.push(run)} runs made`),
  });
  const [first] = made;
  if (first === undefined) throw new Error("no run was made");
  const before = tell(world, first);
  const figures = { read: 0, lost: 0, notVerified: 0, archivedWhenKilled: 0 };
  const random = createRandom(seed);
  const startedMs = Date.now();
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, archiveArgs(world), { stdio: "ignore" });
    // Some way into its share of the work, at any point of a run.
    const share = Math.floor((runs * kill + random.below(runs)) / (kills + 1));
    while (child.exitCode === null && (await count(url, COUNT)) <= share) await sleep(20);
    await sleep(random.below(KILL_MS));
    await killProcess(child);
    await readRuns(world, kill === kills - 1 ? made : pickSome(made, random), figures);
    figures.archivedWhenKilled = await count(url, COUNT);
    say(`killed ${kill + 1} times, ${figures.archivedWhenKilled} runs archived`);
  }
  const { status, stderr } = spawnSync(process.execPath, archiveArgs(world), { encoding: "utf8" });
  if (status !== 0) throw new Error(`the command ended with ${status}: ${stderr}`);
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  await readRuns(world, pickSome(made, random), figures);
  const missing = made.filter((run) => !existsSync(join(world.to, nameOf(run))));
  const after = tell(world, first);
  return {
    ...figures,
    lost: figures.lost + missing.length,
    archived: await count(url, COUNT),
    changed: before.filter((text, at) => text !== after[at]).length,
    periodsLeft: await count(
      url,
      "select count(*) from turnseal.period where closed_at is not null and dropped_at is null",
    ),
    draftsLeft: readdirSync(join(world.to, ".drafts")).length,
    seconds,
  };
}

const nameOf = ({ tenant, run }: MadeRun): string => bundleNameOf(tenant, run);
const node = ["--conditions=turnseal-source", program];

function archiveArgs({ url, store, to }: World): string[] {
  const where = ["--to", to, "--store", store, "--postgres", url];
  return [...node, "archive", "--older-than", "0d", "--at-once", "8", ...where];
}

/** Runs the commands that describe a run: their output must be the same from the archive. */
function tell({ url, store }: World, { tenant, run }: MadeRun): string[] {
  const place = ["--host", "http://127.0.0.1:9", "--postgres", url, "--tenant", tenant];
  return ["show", "explain", "verify"].map((command) => {
    const args = [...node, command, run, "--json", "--store", store, ...place];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
    return stdout;
  });
}

function pickSome(made: readonly MadeRun[], random: RandomSource): readonly MadeRun[] {
  const step = Math.max(1, Math.floor(made.length / READ_MAX));
  const from = random.below(step);
  return made.filter((_, at) => at % step === from);
}

/** Reads runs whole, wherever they are, and verifies them. */
async function readRuns(
  { pool, keys, say }: World,
  runs: readonly MadeRun[],
  figures: { read: number; lost: number; notVerified: number },
): Promise<void> {
  const next = runs.values();
  let read = 0;
  const readSome = async (): Promise<void> => {
    for (const { tenant, run } of next) {
      const stores = withArchived(pool.forTenant(tenant), { tenant, openArchive: folderArchive });
      figures.read += 1;
      read += 1;
      if (read % READ_MAX === 0) say(`${read} of ${runs.length} runs read`);
      const collected = await collectRun(stores, run).catch(() => undefined);
      if (collected === undefined || collected.events.length === 0) figures.lost += 1;
      else {
        const { valid } = await verifyRun(collected, { keys, production: false });
        if (!valid || (await stores.blobs.readKey(run)) === undefined) figures.notVerified += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readSome));
}

async function count(url: string, sql: string): Promise<number> {
  const [row] = await ask(url, sql);
  return Number(row?.["count"]);
}

async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
