/** What is only live between processes: what is being written, and leases of rate limits. */
import type { HostOptions } from "@turnseal/host";
import type { ProviderLimits } from "@turnseal/ports";

export interface LivePlace {
  /** The server; without it each process is on its own. */
  readonly redis?: string;
  /** What keys and channels begin with, where several databases share the server. */
  readonly redisPrefix?: string;
}

/** For the host of one tenant; nothing where there is no server for it. */
export type LiveParts = Pick<HostOptions, "live" | "rateLimits" | "providerLimits">;

export interface OpenedLive {
  forTenant(tenant: string): LiveParts;
  /** Whether the server is there now; absent where none was named. */
  readonly isUp?: () => boolean;
  close(): void;
}

/**
 * Opens what the command line names. What is allowed for providers is counted for all tenants
 * together.
 */
export async function openLive(
  { redis: url, redisPrefix }: LivePlace,
  listFor?: ProviderLimits["listFor"],
): Promise<OpenedLive> {
  if (url === undefined) return { forTenant: () => ({}), close: () => {} };
  // Loaded on demand: whoever does not name a server need not have its library.
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
