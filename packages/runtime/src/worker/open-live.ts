/** What is only live between processes: what is being written, and leases of rate limits. */
import type { HostOptions } from "@turnseal/host";

export interface LivePlace {
  /** The server; without it each process is on its own. */
  readonly redis?: string;
  /** What keys and channels begin with, where several databases share the server. */
  readonly redisPrefix?: string;
}

/** For the host of one tenant; nothing where there is no server for it. */
export type LiveParts = Pick<HostOptions, "live" | "rateLimits">;

export interface OpenedLive {
  forTenant(tenant: string): LiveParts;
  /** Whether the server is there now; absent where none was named. */
  readonly isUp?: () => boolean;
  close(): void;
}

/** Opens what the command line names. */
export async function openLive({ redis: url, redisPrefix }: LivePlace): Promise<OpenedLive> {
  if (url === undefined) return { forTenant: () => ({}), close: () => {} };
  // Loaded on demand: whoever does not name a server need not have its library.
  const { openRedis } = await import("@turnseal/adapters/redis");
  return openRedis({ url, ...(redisPrefix === undefined ? {} : { prefix: redisPrefix }) });
}
