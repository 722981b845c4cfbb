/**
 * Redis for tests: the server that TURNSEAL_TEST_REDIS_URL names, under a prefix that nobody else
 * has. It is never stopped; a network that is cut stands between where it has to be away.
 */
import { randomUUID } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { createClient } from "redis";
import { onTestFinished } from "vitest";
import { openRedis, type Redis, type RedisOptions, type RedisTenant } from "./open-redis.ts";

export const SERVER_URL = process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379";

export interface ScratchRedis {
  readonly prefix: string;
  open(options?: Partial<RedisOptions>): Promise<Redis>;
  /** The same, for one tenant: for tests that are not about tenants. */
  openTenant(options?: Partial<RedisOptions>): Promise<RedisTenant & Pick<Redis, "close">>;
  /** Asks the server itself. */
  ask(...command: readonly string[]): Promise<unknown>;
  keys(): Promise<readonly string[]>;
}

/** When the test is over, everything that was opened here is closed, and its keys are removed. */
export async function openScratchRedis(): Promise<ScratchRedis> {
  const prefix = `turnseal-test:${randomUUID()}:`;
  const client = createClient({ url: SERVER_URL });
  await client.connect();
  const opened: Redis[] = [];
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const page of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 }))
      found.push(...page);
    return found;
  };
  const open: ScratchRedis["open"] = async (options) => {
    const redis = await openRedis({ url: SERVER_URL, prefix, ...options });
    opened.push(redis);
    return redis;
  };
  onTestFinished(async () => {
    for (const redis of opened) redis.close();
    const left = await keys();
    if (left.length > 0) await client.del(left);
    client.destroy();
  });
  return {
    prefix,
    open,
    openTenant: async (options) => {
      const redis = await open(options);
      return { ...redis.forTenant("acme"), close: redis.close };
    },
    ask: (...command) => client.sendCommand([...command]),
    keys,
  };
}

export interface Network {
  /** The server through this network. */
  readonly url: string;
  /** Every connection is lost, and no new one is made. */
  cut(): void;
  /** Connections stay, and nothing passes. */
  freeze(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openNetwork(): Promise<Network> {
  const target = new URL(SERVER_URL);
  const sockets = new Set<Socket>();
  let state: "whole" | "cut" | "frozen" = "whole";
  const server = createServer((client) => {
    if (state === "cut") return void client.destroy();
    const upstream = connect(Number(target.port || 6379), target.hostname);
    const pairs = [
      [client, upstream],
      [upstream, client],
    ] as const;
    for (const [from, to] of pairs) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.on("data", (chunk) => state === "frozen" || to.write(chunk));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `redis://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    cut: () => {
      state = "cut";
      end();
    },
    freeze: () => {
      state = "frozen";
    },
    mend: () => {
      if (state === "frozen") end();
      state = "whole";
    },
    close: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until something is so. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 10_000; !(await isTrue()); ) {
    if (performance.now() > endMs) throw new Error("it did not come about");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
