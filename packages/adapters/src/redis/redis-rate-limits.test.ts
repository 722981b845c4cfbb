import { manualClock, type RateLimits } from "@turnseal/ports";
import { rateLimitsContract } from "@turnseal/ports/contracts";
import { describe, expect, test } from "vitest";
import { OPEN_MS_MAX, openRedis } from "./open-redis.ts";
import { TAKE_MS_MAX } from "./redis-rate-limits.ts";
import { openNetwork, openScratchRedis, until } from "./scratch-redis.test.data.ts";

describe("two workers that share a server keep the contract", () => {
  const create = async () => {
    const scratch = await openScratchRedis();
    const clock = manualClock();
    const [first, second] = [
      await scratch.openTenant({ clock }),
      await scratch.openTenant({ clock }),
    ];
    return {
      limits: first.rateLimits,
      other: second.rateLimits,
      now: clock.now,
      pass: (ms: number) => clock.advance(ms),
    };
  };
  for (const { name, run } of rateLimitsContract({ create })) test(name, run);
});

const request = { name: "chat", holder: "somebody", holdMs: 60_000 };

const kindsOf = async (limits: RateLimits, count: number, part: object): Promise<string[]> => {
  const asked = Array.from({ length: count }, (_, index) =>
    limits.take({ ...request, holder: `holder ${index}`, ...part }),
  );
  return (await Promise.all(asked)).map(({ kind }) => kind);
};

test.each([
  ["at once", { inFlight: 7 }],
  ["within a window", { perWindow: { count: 7, windowMs: 60_000 } }],
])("of many who ask together exactly as many are let through: %s", async (_, part) => {
  const scratch = await openScratchRedis();
  const workers = [
    await scratch.openTenant(),
    await scratch.openTenant(),
    await scratch.openTenant(),
  ];
  const kinds = await Promise.all(workers.map(({ rateLimits }) => kindsOf(rateLimits, 20, part)));
  expect(kinds.flat().filter((kind) => kind === "taken")).toHaveLength(7);
  expect(kinds.flat().filter((kind) => kind === "full")).toHaveLength(53);
});

test("by the server's own time a lease ends, and a window slides", async () => {
  const scratch = await openScratchRedis();
  const { rateLimits } = await scratch.openTenant();
  const short = { ...request, holdMs: 200, inFlight: 1 };
  expect(await rateLimits.take(short)).toMatchObject({ kind: "taken" });
  const full = await rateLimits.take(short);
  expect(full).toMatchObject({ kind: "full" });
  await until(async () => (await rateLimits.take(short)).kind === "taken");
  const windowed = { ...request, name: "other", perWindow: { count: 1, windowMs: 200 } };
  const startedAt = performance.now();
  expect(await rateLimits.take(windowed)).toMatchObject({ kind: "taken" });
  await until(async () => (await rateLimits.take(windowed)).kind === "taken");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test("what is kept of a name ends by itself", async () => {
  const scratch = await openScratchRedis();
  const { rateLimits } = await scratch.openTenant();
  const both = { ...request, inFlight: 9, perWindow: { count: 1, windowMs: 30_000 } };
  await rateLimits.take(both);
  await rateLimits.take({ ...both, holder: "in line" });
  const keys = await scratch.keys();
  expect(keys).toHaveLength(3);
  for (const key of keys) {
    const leftMs = Number(await scratch.ask("PTTL", key));
    expect(leftMs).toBeGreaterThan(20_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  }
});

test("without a server opening takes OPEN_MS_MAX, and the answer is away, at once", async () => {
  const openedAt = performance.now();
  const redis = await openRedis({ url: "redis://127.0.0.1:1", prefix: "nowhere:" });
  const startedAt = performance.now();
  expect(startedAt - openedAt).toBeGreaterThanOrEqual(OPEN_MS_MAX - 10);
  expect(startedAt - openedAt).toBeLessThan(OPEN_MS_MAX + 2_000);
  const { rateLimits } = redis.forTenant("acme");
  expect(await rateLimits.take({ ...request, inFlight: 1 })).toEqual({ kind: "away" });
  expect(performance.now() - startedAt).toBeLessThan(TAKE_MS_MAX);
  redis.close();
});

test("a server that is lost is away, and counts on when it is back", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const { rateLimits } = await scratch.openTenant({ url: network.url });
  const lease = await rateLimits.take({ ...request, inFlight: 1 });
  network.cut();
  await until(async () => (await rateLimits.take({ ...request, inFlight: 1 })).kind === "away");
  // A release while it is away does not arrive: the lease ends by itself.
  if (lease.kind === "taken") lease.release();
  network.mend();
  await until(async () => (await rateLimits.take({ ...request, inFlight: 1 })).kind !== "away");
  expect(await rateLimits.take({ ...request, inFlight: 1 })).toMatchObject({ kind: "full" });
  await network.close();
});

test("a server that does not answer within TAKE_MS_MAX is away", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const { rateLimits } = await scratch.openTenant({ url: network.url });
  network.freeze();
  const startedAt = performance.now();
  expect(await rateLimits.take({ ...request, inFlight: 1 })).toEqual({ kind: "away" });
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThanOrEqual(TAKE_MS_MAX - 10);
  expect(tookMs).toBeLessThan(TAKE_MS_MAX + 1_000);
  await network.close();
});

test("another prefix shares nothing", async () => {
  const scratch = await openScratchRedis();
  const [one, other] = [
    await scratch.openTenant(),
    await scratch.openTenant({ prefix: `${scratch.prefix}other:` }),
  ];
  for (const { rateLimits } of [one, other])
    expect(await rateLimits.take({ ...request, inFlight: 1 })).toMatchObject({ kind: "taken" });
});
