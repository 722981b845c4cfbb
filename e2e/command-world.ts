/** The command itself, each time in a process of its own, with a database of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

const serverUrl =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const bin = fileURLToPath(new URL("../apps/cli/bin/turnseal.js", import.meta.url));

/** A model that asks for one payment, and tools that write a line for each. */
export const LOOPS = fileURLToPath(
  new URL("../apps/cli/src/__fixtures__/payments.mjs", import.meta.url),
);

const pemBody = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC";

/** A key by which workers know the engine: the example of RFC 8410, which is a secret of nobody. */
export const IDENTITY = {
  pem: `-----BEGIN PRIVATE KEY-----\n${pemBody}\n-----END PRIVATE KEY-----\n`,
  key: "publickeyv1_2jWMEZexp78CX9HyTF1U8c5h96dbm9XVBcCEJ8pDypmn",
} as const;

/** Repair leaves runs alone that changed within this time. */
export const REPAIR_GRACE_MS = 5_000;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** What it said on both, as a terminal shows it. */
  readonly all: () => string;
  readonly ended: Promise<Ended>;
}

export interface CommandWorld {
  /** Where the commands run. */
  readonly folder: string;
  readonly databaseUrl: string;
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): Running;
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended>;
  /** One line for each payment. */
  readLedger(): string[];
  readonly ledger: string;
  close(): Promise<void>;
}

export function openCommandWorld(): CommandWorld {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-command-"));
  const name = `turnseal_e2e_${process.pid}_${Date.now().toString(36)}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const ledger = join(folder, "ledger.txt");
  const started: ChildProcess[] = [];
  const start: CommandWorld["start"] = (args, environment = {}) => {
    const env = { PATH: process.env["PATH"], ...environment };
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
    started.push(child);
    return watch(child);
  };
  return {
    folder,
    ledger,
    databaseUrl: url.href,
    start,
    run: (args, environment) => start(args, environment).ended,
    readLedger: () => (existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : []),
    close: async () => {
      for (const child of started) if (child.exitCode === null) child.kill("SIGKILL");
      await askServer(`drop database if exists ${name} with (force)`);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function watch(child: ChildProcess): Running {
  let [out, err, all] = ["", "", ""];
  child.stdout?.on("data", (chunk) => {
    out += chunk;
    all += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    err += chunk;
    all += chunk;
  });
  const ended = new Promise<Ended>((resume) => {
    child.on("close", (code) => resume({ code, out, err }));
  });
  return { child, out: () => out, all: () => all, ended };
}

/** Asks the database server something, or says that there is none. */
export async function askServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect().catch((cause: unknown) => {
    const { host } = new URL(serverUrl);
    throw new Error(`these tests need a PostgreSQL server at ${host}`, { cause });
  });
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A process that has ended counts as gone, also before anybody has waited for it. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

/** Waits until something is so. */
export async function until<Seen>(
  look: () => Promise<Seen | undefined> | Seen | undefined,
  timeoutMs = 60_000,
): Promise<Seen> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > endMs) throw new Error("it did not happen in time");
    await sleep(50);
  }
}

/** The status of an answer, or undefined when nobody answers. */
export async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );
}
