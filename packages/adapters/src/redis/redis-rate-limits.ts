/**
 * Rate limits that every worker shares, by the clock of the server: those of the workers may
 * differ.
 */
import { randomUUID } from "node:crypto";
import {
  type Clock,
  IN_FLIGHT_LOOK_MS,
  LINE_LENGTH_MAX,
  type LimitAnswer,
  type RateLimits,
  systemClock,
} from "@turnseal/ports";
import type { Connection } from "./connection.ts";
import { TAKE, WITHDRAW } from "./limit-scripts.ts";
import { within } from "./within.ts";

/** How long the server may take before the answer is `away`. */
export const TAKE_MS_MAX = 1_000;

export interface RedisRateLimitsOptions {
  readonly prefix: string;
  /** Counts by this clock, and not by the server's own. */
  readonly clock?: Clock | undefined;
}

export function redisRateLimits(
  connection: Connection,
  { prefix, clock }: RedisRateLimitsOptions,
): RateLimits {
  const { now } = clock ?? systemClock;
  return {
    take: async ({ name, holder, inFlight = 0, perWindow, holdMs }): Promise<LimitAnswer> => {
      const keys = ["held", "taken", "line"].map((part) => `${prefix}limit:{${name}}:${part}`);
      const lease = randomUUID();
      const release = (): void => {
        connection.send("ZREM", keys[0] ?? "", lease).catch(() => {});
      };
      const { count = 0, windowMs = 0 } = perWindow ?? {};
      const withdraw = (place: "kept" | "left"): void => {
        const longest = place === "kept" ? LINE_LENGTH_MAX : 0;
        const given = [lease, holder, ...[windowMs, longest].map(String)];
        connection.run(WITHDRAW, keys, given).catch(() => {});
      };
      const asked = connection.run(TAKE, keys, [
        clock === undefined ? "" : String(now()),
        lease,
        holder,
        ...[holdMs, inFlight, IN_FLIGHT_LOOK_MS].map(String),
        ...[count, windowMs, LINE_LENGTH_MAX].map(String),
      ]);
      const answer = await within(asked, TAKE_MS_MAX);
      if (answer === undefined) {
        // The lease may have been taken all the same: then it is released when that is known.
        asked.then(release, () => {});
        return { kind: "away" };
      }
      const waitMs = Number(answer);
      if (waitMs < 0) return { kind: "taken", release, withdraw };
      return { kind: "full", retryAtMs: now() + Math.max(1, waitMs) };
    },
  };
}
