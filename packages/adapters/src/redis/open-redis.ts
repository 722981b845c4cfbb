import type { Clock, LiveBus, RateLimits } from "@turnseal/ports";
import { TAKE } from "./limit-scripts.ts";
import { FINISH, PUBLISH, SNAPSHOT } from "./live-scripts.ts";
import { openRedisConnection } from "./redis-connection.ts";
import { redisLiveBus } from "./redis-live-bus.ts";
import { redisRateLimits } from "./redis-rate-limits.ts";
import { within } from "./within.ts";

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: string;
  /** What every key and channel begins with: those who share a server and it share their limits. */
  readonly prefix?: string;
  /** Rate limits count by this clock in place of the server's own. */
  readonly clock?: Clock;
}

export interface Redis {
  readonly live: LiveBus;
  readonly rateLimits: RateLimits;
  close(): void;
}

/** How long opening waits for a server. Without one it goes on, and the connection comes later. */
export const OPEN_MS_MAX = 2_000;

/**
 * Opens what is only live: pieces of messages on their way, and leases. Nothing of it is the truth,
 * and whoever uses it goes on without it.
 *
 * @example
 * const { live, rateLimits } = await openRedis({ url: "redis://127.0.0.1:6379", prefix: "acme:" });
 * const host = createLocalHost({ loops, stores, signer, live, rateLimits });
 */
export async function openRedis({
  url,
  prefix = "turnseal:",
  clock,
}: RedisOptions): Promise<Redis> {
  const connection = openRedisConnection(url, [PUBLISH, FINISH, SNAPSHOT, TAKE]);
  const live = redisLiveBus(connection, prefix);
  const rateLimits = redisRateLimits(connection, { prefix, clock });
  await within(connection.opened, OPEN_MS_MAX);
  return { live, rateLimits, close: connection.close };
}
