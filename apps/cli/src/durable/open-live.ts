/** What is only live between processes: what is being written, and leases of rate limits. */
import type { HostOptions } from "@turnseal/host";

export interface OpenedLive {
  /** For the host; nothing where there is no server for it. */
  readonly host: Pick<HostOptions, "live" | "rateLimits">;
  close(): void;
}

/** Opens what the command line names. Without it each process is on its own. */
export async function openLive(redis: string | undefined): Promise<OpenedLive> {
  if (redis === undefined) return { host: {}, close: () => {} };
  // Loaded on demand: whoever does not name a server need not have its library.
  const { openRedis } = await import("@turnseal/adapters/redis");
  const { live, rateLimits, close } = await openRedis({ url: redis });
  return { host: { live, rateLimits }, close };
}
