/**
 * A real engine for tests and proofs: the server's own binary, on free ports, in a folder of its
 * own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Engine {
  readonly ingress: string;
  readonly admin: string;
  readonly process: ChildProcess;
  /** Asks the engine's own tables. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Registers an endpoint, as a deployment does. */
  register(uri: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface EngineOptions {
  /** Where it keeps its data: the same folder is the same engine, started again. */
  readonly folder: string;
  readonly ports?: EnginePorts;
  /** Settings of how it calls workers, as lines of its configuration. */
  readonly invoker?: readonly string[];
  /** Where it is one of several nodes. */
  readonly member?: ClusterMember;
}

export interface ClusterMember {
  readonly name: string;
  /** The ports on which the nodes of the cluster find each other, this one included. */
  readonly nodes: readonly number[];
  /** True for the one node that sets the cluster up. */
  readonly isFirst: boolean;
}

export interface EnginePorts {
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

const START_MS = 30_000;

export async function startRestate(options: EngineOptions): Promise<Engine> {
  const { folder } = options;
  const { node, ingress, admin } = options.ports ?? (await freePorts());
  mkdirSync(join(folder, "tmp"), { recursive: true });
  const config = join(folder, "restate.toml");
  writeFileSync(config, renderConfig(options, { node, ingress, admin }));
  const child = spawn(findBinary(), ["--no-logo", "-c", config], {
    cwd: folder,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], TMPDIR: join(folder, "tmp") },
  });
  const engine = describeEngine(child, { node, ingress, admin });
  await waitUntilReady(engine, child);
  return engine;
}

function describeEngine(child: ChildProcess, ports: EnginePorts): Engine {
  const admin = `http://127.0.0.1:${ports.admin}`;
  return {
    ingress: `http://127.0.0.1:${ports.ingress}`,
    admin,
    process: child,
    query: async (query) => {
      const { rows = [] } = (await post(`${admin}/query`, { query })) as {
        rows?: Record<string, unknown>[];
      };
      return rows;
    },
    register: async (uri) => {
      await post(`${admin}/deployments`, { uri, force: true });
    },
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resume) => child.once("exit", resume));
      child.kill(signal);
      await ended;
    },
  };
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return text === "" ? {} : JSON.parse(text);
}

/**
 * Health is green before every partition has a leader: a question that needs them all is asked too.
 */
async function waitUntilReady(
  { admin, ingress, query }: Engine,
  child: ChildProcess,
): Promise<void> {
  const endMs = Date.now() + START_MS;
  while (Date.now() < endMs) {
    if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`);
    try {
      const answers = await Promise.all([
        fetch(`${admin}/health`),
        fetch(`${ingress}/restate/health`),
      ]);
      if (answers.every(({ ok }) => ok)) {
        await query("select id from sys_invocation limit 1");
        return;
      }
    } catch {
      // Not there yet.
    }
    await sleep(50);
  }
  throw new Error("the engine did not start in time");
}

function findBinary(): string {
  const require = createRequire(import.meta.url);
  const folder = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  return require.resolve(`${folder}/bin/restate-server`);
}

function renderConfig(options: EngineOptions, { node, ingress, admin }: EnginePorts): string {
  const { folder, invoker = [], member } = options;
  return [
    'roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]',
    'cluster-name = "turnseal"',
    `node-name = ${JSON.stringify(member?.name ?? "n1")}`,
    `base-dir = ${JSON.stringify(join(folder, "data"))}`,
    'listen-mode = "tcp"',
    'bind-ip = "127.0.0.1"',
    `bind-port = ${node}`,
    `advertised-address = "http://127.0.0.1:${node}/"`,
    `auto-provision = ${member?.isFirst ?? true}`,
    "default-num-partitions = 8",
    "disable-telemetry = true",
    'rocksdb-total-memory-size = "512 MiB"',
    ...(member === undefined ? [] : ["default-replication = 2", ...renderCluster(member)]),
    "[worker.invoker]",
    ...invoker,
    "[ingress]",
    `bind-address = "127.0.0.1:${ingress}"`,
    "[admin]",
    `bind-address = "127.0.0.1:${admin}"`,
    "",
  ].join("\n");
}

/** Snapshots need an object store: without one a node that lost its data cannot catch up. */
function renderCluster({ nodes }: ClusterMember): string[] {
  const addresses = nodes.map((port) => `http://127.0.0.1:${port}/`);
  return [
    "[metadata-client]",
    'type = "replicated"',
    `addresses = ${JSON.stringify(addresses)}`,
    "[bifrost]",
    'default-provider = "replicated"',
  ];
}

export async function freePorts(): Promise<EnginePorts> {
  const [node, ingress, admin] = await Promise.all([freePort(), freePort(), freePort()]);
  return { node, ingress, admin };
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const address = server.address();
  await new Promise((resume) => server.close(resume));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
