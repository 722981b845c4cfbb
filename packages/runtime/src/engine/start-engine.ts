/**
 * An engine for development: the server's own binary from npm, on this machine alone, with its data
 * in one folder. Started again over the same folder, it goes on where it was.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createEngineAdmin } from "./engine-admin.ts";
import { type EnginePorts, type EngineSettings, renderEngineConfig } from "./engine-config.ts";
import { findEnginePorts } from "./free-port.ts";
import { createIdentity, identityKeyOf } from "./identity-key.ts";
import { endProcess, findProcess, forgetProcess, noteProcess } from "./process-file.ts";

export interface EngineOptions extends Pick<EngineSettings, "invoker" | "member"> {
  /** Where it keeps its data: the same folder is the same engine, started again. */
  readonly folder: string;
  /** Where it listens; by default, on free ports. */
  readonly ports?: EnginePorts;
  /** Aborted when it is no longer wanted. */
  readonly stop?: AbortSignal;
  /** True if what is typed at the terminal ends it, too. */
  readonly endsWithTerminal?: boolean;
}

export interface Engine {
  readonly ingress: string;
  readonly admin: string;
  readonly pid: number;
  isUp(): boolean;
  /** The public key by which workers know it. */
  readonly identityKey: string;
  readonly log: string;
  /** Settles when it has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it at once, as a machine that is gone. */
  kill(): Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 15_000;
/** How long one answer is waited for while it starts. */
const ANSWER_MS_MAX = 5_000;

/** Ends an engine that an earlier process left: two of them would not share the data. */
export async function endLeftEngine(folder: string): Promise<void> {
  const left = await findProcess(folder);
  if (left !== undefined) await endProcess(left, STOP_MS);
}

/**
 * Starts it and waits until it can be used, or until it is no longer wanted. Throws if it is not
 * installed, which `findEngine` reports before.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { folder, ports = await findEnginePorts(), stop } = options;
  const binary = findEngine();
  if (binary === undefined) throw new Error("the engine is not installed for this machine");
  // It leaves folders behind there, each time.
  await rm(join(folder, "tmp"), { recursive: true, force: true });
  await mkdir(join(folder, "tmp"), { recursive: true, mode: 0o700 });
  const { file, key } = await openIdentity(folder);
  const config = join(folder, "restate.toml");
  await writeFile(config, renderEngineConfig({ ...options, ports, identity: file }));
  const log = join(folder, "engine.log");
  const detached = options.endsWithTerminal !== true;
  const child = await spawnServer(binary, { folder, config, log, detached });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the engine cannot be started: ${binary}`);
  const ended = new Promise<void>((resume) => child.once("exit", () => resume()));
  await noteProcess(folder, pid);
  const [ingress, admin] = [ports.ingress, ports.admin].map((port) => `http://127.0.0.1:${port}`);
  const engine: Engine = {
    ...{ ingress: ingress ?? "", admin: admin ?? "", pid, identityKey: key, log, ended },
    isUp: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      await endProcess(pid, STOP_MS);
      await forgetProcess(folder);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      await forgetProcess(folder);
    },
  };
  try {
    await waitUntilReady(engine, { child, stop });
    return engine;
  } catch (error) {
    // It would go on without us: it does not end with the terminal.
    await engine.stop();
    throw error;
  }
}

interface ServerFiles {
  readonly folder: string;
  readonly config: string;
  readonly log: string;
  readonly detached: boolean;
}

async function spawnServer(
  binary: string,
  { folder, config, log, detached }: ServerFiles,
): Promise<ChildProcess> {
  const output = await open(log, "a", 0o600);
  const child = spawn(binary, ["--no-logo", "-c", config], {
    cwd: folder,
    // Mostly what is typed at the terminal is for us: it ends after what it serves.
    detached,
    stdio: ["ignore", output.fd, output.fd],
    env: { PATH: process.env["PATH"], TMPDIR: join(folder, "tmp") },
  });
  // A child that could not be started has no id, which the caller checks.
  child.once("error", () => {});
  await output.close();
  return child;
}

async function openIdentity(folder: string): Promise<{ file: string; key: string }> {
  const file = join(folder, "identity.pem");
  if (!existsSync(file)) await writeFile(file, createIdentity(), { mode: 0o600, flag: "wx" });
  return { file, key: identityKeyOf(await readFile(file, "utf8")) };
}

/** Health is green before every partition has a leader, so the partitions are checked, too. */
async function waitUntilReady(
  { ingress, admin, log }: Engine,
  { child, stop }: { readonly child: ChildProcess; readonly stop: AbortSignal | undefined },
): Promise<void> {
  const endMs = Date.now() + START_MS;
  const { hasLeaders } = createEngineAdmin(admin);
  const isUp = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (Date.now() < endMs) {
    if (stop?.aborted === true) return;
    if (child.exitCode !== null)
      throw new Error(`the engine exited with code ${child.exitCode}: see ${log}`);
    if ((await isUp(`${ingress}/restate/health`)) && (await hasLeaders())) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error(`the engine did not start in time: see ${log}`);
}

/** The binary itself: its wrapper would be killed in its place. */
export function findEngine(): string | undefined {
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  for (const from of [pathToFileURL(join(process.cwd(), "package.json")).href, import.meta.url]) {
    try {
      const wrapper = createRequire(from).resolve("@restatedev/restate-server/package.json");
      return createRequire(wrapper).resolve(`${platform}/bin/restate-server`);
    } catch {
      // Not from there.
    }
  }
  return undefined;
}
