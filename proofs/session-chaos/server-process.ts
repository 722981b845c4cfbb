import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";

/** Milliseconds between two pieces of an answer. */
export const PACE_MS = 4;

export interface ServerSettings {
  readonly folder: string;
  readonly ledger: string;
  readonly port: number;
  readonly token: string;
}

export interface ServerProcess {
  readonly url: string;
  readonly token: string;
  /** A file with the key of each payment that was made. */
  readonly ledger: string;
  /** Kills it, in the middle of whatever it does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("server.ts", import.meta.url));
const cache = new URL("../../node_modules/.cache/turnseal-crash", import.meta.url);

export async function startServerProcess(folder: string): Promise<ServerProcess> {
  const ledger = join(folder, "ledger.txt");
  writeFileSync(ledger, "");
  const settings: ServerSettings = {
    folder,
    ledger,
    port: await findFreePort(),
    token: "chaos-key",
  };
  let child = await start(settings);
  return {
    url: `http://127.0.0.1:${settings.port}`,
    token: settings.token,
    ledger,
    restart: async () => {
      await kill(child);
      child = await start(settings);
    },
    stop: () => kill(child),
  };
}

async function start(settings: ServerSettings): Promise<ChildProcess> {
  const child = fork(program, [JSON.stringify(settings)], {
    execArgv: ["--conditions=turnseal-source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(cache) },
  });
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`the server did not start: ${code}`)));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
