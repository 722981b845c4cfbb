/** Processor time of the parts of a world, as the kernel counts it. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import type { EngineWorld } from "../engine-world.ts";
import type { Effort } from "./measured.ts";

/** A tick of Linux for programs: a hundredth of a second. */
const TICK_MS = 10;

/** Milliseconds since each was started, with those of processes that have ended. */
export async function readEffort(world: EngineWorld): Promise<Effort> {
  const postmaster = await findPostmaster(world.databaseUrl);
  return {
    worker: sum(world.workers().map(({ pid = 0 }) => readTime(pid))),
    postgres: sum([postmaster, ...listChildren(postmaster)].map(readTime)),
    engine: readTime(world.engine().pid),
  };
}

/** Whose child a connection is. */
async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    return readStat(Number(rows[0]?.pid)).parent;
  } finally {
    await client.end();
  }
}

function listChildren(parent: number): number[] {
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return all.filter((pid) => {
    try {
      return readStat(pid).parent === parent;
    } catch {
      return false;
    }
  });
}

/** Zero for one that has just ended: its parent has its time. */
function readTime(pid: number): number {
  try {
    return readStat(pid).ticks * TICK_MS;
  } catch {
    return 0;
  }
}

function readStat(pid: number): { readonly parent: number; readonly ticks: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name may have spaces and brackets in it: what counts stands after the last one.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent = 0] = fields;
  // Its own time and that of its ended children, as a user and in the kernel.
  return { parent, ticks: sum(fields.slice(11, 15)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
