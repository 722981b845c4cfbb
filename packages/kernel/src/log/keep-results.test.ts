import { manualClock, StoreError } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { LOG_WAIT_MS_MAX } from "../limits.ts";
import { cutAtResult, findKeptUntil, KEEP_MS_MIN, storeAgain } from "./keep-results.ts";
import { LogError } from "./log-error.ts";
import { emptyBatch } from "./write-batch.ts";

const away = () => new StoreError("STORE_UNREACHABLE", "away");
const event = (type: string, sequence: number, content: object) =>
  ({ type, sequence, content }) as LoopEvent;
const claimed = (sequence: number, deadlineMs: number) =>
  event("action.claimed", sequence, { deadlineAt: new Date(deadlineMs).toISOString() });
const settled = (claim: number) => event("action.settled", claim + 1, { claim });

/** Stores that fail so often, with the number of their calls. */
function failing(times: number, error: () => Error) {
  const asked = { count: 0 };
  const store = async (): Promise<string> => {
    asked.count += 1;
    if (asked.count <= times) throw error();
    return "stored";
  };
  return { asked, store };
}

async function pass(clock: ReturnType<typeof manualClock>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    for (let tick = 0; tick < 5; tick++) await Promise.resolve();
    clock.advance(50);
  }
  for (let tick = 0; tick < 5; tick++) await Promise.resolve();
}

test("what holds no result is not kept", () => {
  expect(findKeptUntil([claimed(3, 9_000)], [claimed(3, 9_000)], 0)).toBeUndefined();
  expect(findKeptUntil([], [], 0)).toBeUndefined();
});

test("a result is kept until its claim's deadline, and for KEEP_MS_MIN at least", () => {
  const known = [claimed(3, 90_000), claimed(5, 200_000)];
  expect(findKeptUntil([settled(3)], known, 1_000)).toBe(90_000);
  expect(findKeptUntil([settled(3), settled(5)], known, 1_000)).toBe(200_000);
  expect(findKeptUntil([settled(3)], known, 89_000)).toBe(89_000 + KEEP_MS_MIN);
  // The claim of a turn that was resumed may not be at hand.
  expect(findKeptUntil([settled(9)], known, 1_000)).toBe(1_000 + KEEP_MS_MIN);
});

test("a result is cut from a claim that would begin late, unless others act beside it", () => {
  const claim = (sequence: number, content: object = {}) => ({
    ...event("action.claimed", sequence, { action: "tool", ...content }),
    at: new Date(1_000).toISOString(),
  });
  const batchOf = (...events: LoopEvent[]) => ({
    ...emptyBatch({ sequence: 3, hash: "x" }),
    ...{ events, blobs: [], consumed: [] as string[] },
  });
  const [first, result, next] = [claim(3), settled(3), claim(5)];
  const both = batchOf(result, next);
  const known = [first, result, next];
  expect(cutAtResult(both, known)).toEqual({
    ...{ batch: batchOf(result), lateMs: 1_000 + LOG_WAIT_MS_MAX },
  });
  expect(cutAtResult(batchOf(result), known)).toBeUndefined();
  expect(cutAtResult(batchOf(next), known)).toBeUndefined();
  const handed = claim(5, { action: "handoff" });
  expect(cutAtResult(batchOf(result, handed), [first, result, handed])).toBeUndefined();
  expect(cutAtResult(both, [claim(1), ...known])).toBeUndefined();
  expect(cutAtResult({ ...both, consumed: ["told"] }, known)).toBeUndefined();
});

test("a store that is away for a moment is asked again, after pauses that grow", async () => {
  const clock = manualClock(0);
  const { asked, store } = failing(3, away);
  const storing = storeAgain(store, { clock, untilMs: 10_000 });
  await pass(clock, 50);
  expect(asked.count).toBe(1);
  await pass(clock, 100);
  expect(asked.count).toBe(2);
  await pass(clock, 150);
  expect(asked.count).toBe(3);
  await pass(clock, 500);
  expect(await storing).toBe("stored");
  expect(asked.count).toBe(4);
});

test("after the deadline it is given up, and not before", async () => {
  const clock = manualClock(0);
  const { store } = failing(Number.POSITIVE_INFINITY, away);
  const failed = storeAgain(store, { clock, untilMs: 5_000 }).then(
    () => 0,
    () => clock.now(),
  );
  await pass(clock, 10_000);
  const atMs = await failed;
  expect(atMs).toBeGreaterThan(2_900);
  expect(atMs).toBeLessThan(5_000);
});

test.each([
  ["whoever was fenced", () => new LogError("LOG_FENCED", "another owns the run")],
  ["a store of another format", () => new StoreError("STORE_FORMAT_UNKNOWN", "unknown")],
  ["a bug", () => new TypeError("a bug")],
])("%s does not try again", async (_, error) => {
  const { asked, store } = failing(1, error);
  await expect(storeAgain(store, { clock: manualClock(0), untilMs: 1e9 })).rejects.toThrow();
  expect(asked.count).toBe(1);
});
