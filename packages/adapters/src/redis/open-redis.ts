import {
  bindEventBus,
  bindValues,
  type Clock,
  type EventBus,
  type LiveBus,
  type RateLimits,
  type ValueStateLayer,
} from "@turnseal/ports";
import { PUBLISH_EVENTS, TAKE_EVENTS } from "./bus-scripts.ts";
import { openConnection } from "./connection.ts";
import { TAKE, WITHDRAW } from "./limit-scripts.ts";
import { FINISH, PUBLISH, SNAPSHOT } from "./live-scripts.ts";
import { redisBusRows } from "./redis-bus-rows.ts";
import { redisLiveBus } from "./redis-live-bus.ts";
import { redisRateLimits } from "./redis-rate-limits.ts";
import { redisValueRows } from "./redis-value-rows.ts";
import { CHANGE_VALUES, READ_VALUES } from "./value-scripts.ts";
import { within } from "./within.ts";

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: string;
  /** The prefix of every key and channel: another for each database of runs on one server. */
  readonly prefix?: string;
  /** Rate limits count by this clock, and not by the server's own. */
  readonly clock?: Clock;
}

/** A tenant's part of a server. */
export interface RedisTenant {
  readonly live: LiveBus;
  readonly rateLimits: RateLimits;
  /** Limits that are counted for all tenants together. */
  readonly sharedLimits: RateLimits;
}

export interface Redis {
  /** The parts of a tenant: except for `sharedLimits`, tenants share no limit and no messages. */
  forTenant(tenant: string): RedisTenant;
  /** Values of a tenant under keys and logs: as durable as the server is. */
  openValues(tenant: string): ValueStateLayer;
  /** Events of a tenant for groups of consumers: as durable as the server is. */
  openBus(tenant: string): EventBus;
  /** Whether the server is there now. */
  isUp(): boolean;
  close(): void;
}

/** The default prefix of keys and channels. */
const PREFIX_DEFAULT = "turnseal:";

/** How long opening waits for a server. Without one it goes on, and the connection comes later. */
export const OPEN_MS_MAX = 2_000;

/**
 * Opens what is only live: pieces of messages on their way, and leases. Its data can be lost at any
 * time, and programs go on without it; values and events are the exception, and stay.
 *
 * @example
 * const redis = await openRedis({ url: "redis://127.0.0.1:6379" });
 * const host = createLocalHost({ loops, stores, signer, ...redis.forTenant("acme") });
 */
export async function openRedis({
  url,
  prefix = PREFIX_DEFAULT,
  clock,
}: RedisOptions): Promise<Redis> {
  const connection = openConnection(url, [PUBLISH, FINISH, SNAPSHOT, TAKE, WITHDRAW]);
  const tenants = new Map<string, RedisTenant>();
  // The tenant's part is empty here: no tenant has an empty name.
  const shared = redisRateLimits(connection, { prefix: `${prefix}:`, clock });
  // Escaped, so that no name of a tenant can read like one of another and what follows it.
  const ownPrefix = (tenant: string) => `${prefix}${encodeURIComponent(tenant)}:`;
  const openTenant = (tenant: string): RedisTenant => {
    const own = ownPrefix(tenant);
    return {
      live: redisLiveBus(connection, own),
      rateLimits: redisRateLimits(connection, { prefix: own, clock }),
      // Runs of two tenants may have the same ids, and would take each other's place in line.
      sharedLimits: {
        take: (request) => shared.take({ ...request, holder: `${tenant} ${request.holder}` }),
      },
    };
  };
  await within(connection.opened, OPEN_MS_MAX);
  return {
    forTenant: (tenant) => {
      const known = tenants.get(tenant) ?? openTenant(tenant);
      tenants.set(tenant, known);
      return known;
    },
    openValues: (tenant) => {
      connection.prepare([CHANGE_VALUES, READ_VALUES]);
      return bindValues(redisValueRows(connection, ownPrefix(tenant)));
    },
    openBus: (tenant) => {
      connection.prepare([PUBLISH_EVENTS, TAKE_EVENTS]);
      return bindEventBus(redisBusRows(connection, ownPrefix(tenant)));
    },
    isUp: connection.isUp,
    close: connection.close,
  };
}
