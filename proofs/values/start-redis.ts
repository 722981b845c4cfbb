/**
 * A Redis server of a proof's own, on a free port, with every write on disk when it is answered.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "@turnseal/runtime/engine";
import { createClient } from "redis";

export interface RedisServer {
  readonly url: string;
  /** Ends it at once, as a machine does that loses its power. */
  kill(): Promise<void>;
  /** Starts it again over the same data. */
  start(): Promise<void>;
}

const START_MS = 15_000;

export async function startRedis(folder: string): Promise<RedisServer> {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = {
    ...{ port, bind: "127.0.0.1", dir: folder, save: "" },
    ...{ appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" },
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn("redis-server", options, { stdio: "ignore" });
    for (const endMs = Date.now() + START_MS; !(await isUp(url)); await sleep(20))
      if (Date.now() > endMs) throw new Error("the Redis server did not start in time");
  };
  await start();
  return {
    url,
    start,
    kill: async () => {
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      child?.kill("SIGKILL");
      await ended;
    },
  };
}

async function isUp(url: string): Promise<boolean> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 500 } });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}
