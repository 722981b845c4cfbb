/** The live parts between processes: pieces of answers, and leases of rate limits. */
import type { HostOptions } from "@turnseal/host";
import type { ProviderLimits } from "@turnseal/ports";

export interface LivePlace {
  /** The server; without it each process is on its own. */
  readonly redis?: string;
  /** The prefix of keys and channels, if several databases share the server. */
  readonly redisPrefix?: string;
}

/** For the host of one tenant; nothing where there is no server for it. */
export type LiveParts = Pick<HostOptions, "live" | "rateLimits" | "providerLimits">;

export interface OpenedLive {
  forTenant(tenant: string): LiveParts;
  /** Whether the server is there now; absent if none was named. */
  readonly isUp?: () => boolean;
  close(): void;
}

/** Opens the server that the command line names. Limits of providers count all tenants together. */
export async function openLive(
  { redis: url, redisPrefix }: LivePlace,
  listFor?: ProviderLimits["listFor"],
): Promise<OpenedLive> {
  if (url === undefined) return { forTenant: () => ({}), close: () => {} };
  // Loaded on demand: without a server, its library is not needed.
  const { openRedis } = await import("@turnseal/adapters/redis");
  const prefix = redisPrefix === undefined ? {} : { prefix: redisPrefix };
  const redis = await openRedis({ url, ...prefix });
  return {
    forTenant: (tenant) => {
      const { sharedLimits, ...own } = redis.forTenant(tenant);
      if (listFor === undefined) return own;
      return { ...own, providerLimits: { rateLimits: sharedLimits, listFor } };
    },
    isUp: redis.isUp,
    close: redis.close,
  };
}
