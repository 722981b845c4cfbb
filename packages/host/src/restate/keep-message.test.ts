import { expect, test } from "vitest";
import { KEEP_MS_MAX, KEEP_MS_MIN, keepMs } from "./keep-message.ts";

test("a message is kept for KEEP_MS_MIN at first, and for KEEP_MS_MAX at most", () => {
  expect(keepMs(1_000, null)).toBe(KEEP_MS_MIN);
  const kept: number[] = [];
  let last = { atMs: 0, ms: KEEP_MS_MIN };
  for (let time = 0; time < 6; time++) {
    const nowMs = last.atMs + last.ms;
    last = { atMs: nowMs, ms: keepMs(nowMs, last) };
    kept.push(last.ms);
  }
  expect(kept).toEqual([60_000, 120_000, 240_000, KEEP_MS_MAX, KEEP_MS_MAX, KEEP_MS_MAX]);
});

test("after a time in which the tenant was served it begins anew", () => {
  const last = { atMs: 0, ms: KEEP_MS_MAX };
  expect(keepMs(2 * KEEP_MS_MAX, last)).toBe(KEEP_MS_MAX);
  expect(keepMs(2 * KEEP_MS_MAX + 1, last)).toBe(KEEP_MS_MIN);
});
