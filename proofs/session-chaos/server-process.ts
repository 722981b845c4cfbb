import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "@turnseal/runtime/engine";
import { killProcess, startProcess, untilReady } from "../kit/processes.ts";

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
  /** Kills it, at any point of its work, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = new URL("server.ts", import.meta.url);

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
      await killProcess(child);
      child = await start(settings);
    },
    stop: () => killProcess(child),
  };
}

async function start(settings: ServerSettings): Promise<ChildProcess> {
  const child = startProcess(program, [JSON.stringify(settings)]);
  await untilReady(child);
  return child;
}
