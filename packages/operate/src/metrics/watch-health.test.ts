import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HEALTH_EVERY_MS, type HealthWatch, watchHealth } from "./watch-health.ts";

const state = { redis: true, store: true, trouble: undefined as string | undefined };
let said: string[];
let health: HealthWatch;

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(state, { redis: true, store: true, trouble: undefined });
  said = [];
  health = watchHealth({
    who: "worker",
    findTrouble: async () => {
      if (!state.store) throw new Error("away");
      return state.trouble;
    },
    whyUnready: async () => (state.store ? state.trouble : "the database does not answer"),
    hasRedis: () => state.redis,
    log: {
      say: (level, what, facts) => said.push(`${level} ${what} ${JSON.stringify(facts)}`),
    },
  });
});
afterEach(() => {
  health.close();
  vi.useRealTimers();
});

const pass = () => vi.advanceTimersByTimeAsync(HEALTH_EVERY_MS);

test("what is there from the start is not said, and each change is said once", async () => {
  await pass();
  await pass();
  expect(said).toEqual([]);
  state.redis = false;
  await pass();
  await pass();
  expect(said).toEqual(["warn redis.away {}"]);
  expect(health.hasRedis()).toBe(false);
  expect(health.isReady()).toBe(true);
  state.redis = true;
  await pass();
  await pass();
  expect(said).toEqual(["warn redis.away {}", "info redis.back {}"]);
});

test("a standby that is gone, and a database that is away, are told apart", async () => {
  await pass();
  state.trouble = "no synchronous standby is connected";
  await pass();
  await pass();
  const why = JSON.stringify({ why: state.trouble });
  expect(said.splice(0)).toEqual([`warn standby.gone ${why}`, `warn worker.unready ${why}`]);
  expect([health.isStandbyMissing(), health.hasStore()]).toEqual([true, true]);
  state.store = false;
  await pass();
  expect(said.splice(0)).toEqual([
    "warn store.away {}",
    'warn worker.unready {"why":"the database does not answer"}',
  ]);
  // The standby is unknown meanwhile: the last result holds.
  expect([health.isStandbyMissing(), health.hasStore()]).toEqual([true, false]);
  Object.assign(state, { store: true, trouble: undefined });
  await pass();
  expect(said).toEqual(["info store.back {}", "info standby.back {}", "info worker.ready {}"]);
});

test("what is away from the start is said", async () => {
  state.redis = false;
  await pass();
  expect(said).toEqual(["warn redis.away {}"]);
});

test("nothing is said after the end", async () => {
  health.close();
  state.store = false;
  await health.look();
  await pass();
  expect(said).toEqual([]);
});
