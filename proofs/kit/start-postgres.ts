/**
 * A real database server for proofs: made anew in a folder, on a free port, with every commit on
 * disk. The server on the machine, if there is one, is left alone.
 */
import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "@turnseal/runtime/engine";
import pg from "pg";

export interface PostgresServer {
  readonly port: number;
  /** The address of one of its databases. */
  urlOf(database: string): string;
  /** Ends it at once, as a machine does that loses its power. */
  kill(): Promise<void>;
  /** Starts it again over the same data. */
  start(): Promise<void>;
  /** A standby that every commit waits for. */
  addStandby(folder: string): Promise<PostgresServer>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
}

const START_MS = 30_000;

/** Makes a server and starts it. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  makeFolder(folder);
  const data = join(folder, "data");
  await run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"]);
  return startServer(folder, await findFreePort());
}

async function startServer(folder: string, port: number): Promise<PostgresServer> {
  const data = join(folder, "data");
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "max_connections = 300",
    "max_locks_per_transaction = 384",
    "shared_buffers = 128MB",
    "fsync = on",
    "wal_level = replica",
    // By default a standby looks for its primary every five seconds, and commits wait for it.
    "wal_retrieve_retry_interval = 500ms",
    "max_wal_size = 2GB",
    "logging_collector = off",
  ];
  appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\n`);
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    const options = ["-D", data, "-l", join(folder, "log"), "-W"];
    await run("pg_ctl", [...options, "start"]);
    await waitUntilUp(urlOf("postgres"));
  };
  await start();
  return {
    port,
    urlOf,
    start,
    kill: () => run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]),
    addStandby: async (other) => {
      const name = "second";
      makeFolder(other);
      const source = `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;
      const copy = ["-D", join(other, "data"), "-d", source, "-R", "-X", "stream", "-c", "fast"];
      await run("pg_basebackup", [...copy, "--no-sync"]);
      const standby = await startServer(other, await findFreePort());
      // Only now: with a missing standby, commits wait for ever.
      await ask(urlOf("postgres"), `alter system set synchronous_standby_names = '${name}'`);
      await ask(urlOf("postgres"), "select pg_reload_conf()");
      await waitUntilSynchronous(urlOf("postgres"));
      return standby;
    },
    promote: async () => {
      await run("pg_ctl", ["-D", data, "-w", "promote"]);
      await waitUntilUp(urlOf("postgres"), "select 1 where not pg_is_in_recovery()");
    },
  };
}

/** Asks one question on a connection of its own. */
export async function ask(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function waitUntilUp(url: string, question = "select 1"): Promise<void> {
  const endMs = Date.now() + START_MS;
  while (Date.now() < endMs) {
    const rows = await ask(url, question).catch(() => []);
    if (rows.length > 0) return;
    await sleep(50);
  }
  throw new Error("the database did not start in time");
}

async function waitUntilSynchronous(url: string): Promise<void> {
  await waitUntilUp(url, "select 1 from pg_stat_replication where sync_state = 'sync'");
}

/** The server refuses to run as root. */
const owner = process.getuid?.() === 0 ? ownerOf("postgres") : undefined;

function ownerOf(name: string): { readonly uid: number; readonly gid: number } {
  const read = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
}

/** Without holding up this process: it also leads the workers to the database, and is paid. */
async function run(program: string, options: readonly string[]): Promise<void> {
  const env = { PATH: process.env["PATH"], LC_ALL: "C" };
  await promisify(execFile)(join(findPrograms(), program), [...options], {
    ...owner,
    cwd: "/",
    env,
  });
}

/** The newest version that Debian's packages installed, or what the path finds. */
function findPrograms(): string {
  const root = "/usr/lib/postgresql";
  const given = process.env["TURNSEAL_POSTGRES_BIN"];
  if (given !== undefined) return given;
  const [newest] = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  if (newest === undefined) throw new Error(`no PostgreSQL in ${root}`);
  return join(root, newest, "bin");
}
