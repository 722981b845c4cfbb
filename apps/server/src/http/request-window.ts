import type { ServerLimits } from "../limits.ts";

/** Counts what tenants ask for. */
export interface RequestWindow {
  /** Undefined while there is room, and then it counts; else the seconds until there is again. */
  count(tenant: string, nowMs: number, amount?: number): number | undefined;
}

/** One window after the other, the same for all tenants: what is past is forgotten whole. */
export function createRequestWindow({
  requestsMax,
  windowMs,
}: Pick<ServerLimits, "requestsMax" | "windowMs">): RequestWindow {
  let [window, counts] = [0, new Map<string, number>()];
  return {
    count: (tenant, nowMs, amount = 1) => {
      const current = Math.floor(nowMs / windowMs);
      if (current !== window) [window, counts] = [current, new Map()];
      const count = (counts.get(tenant) ?? 0) + amount;
      if (count > requestsMax) return Math.ceil(((current + 1) * windowMs - nowMs) / 1_000);
      counts.set(tenant, count);
      return undefined;
    },
  };
}
