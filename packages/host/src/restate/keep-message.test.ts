import { expect, test } from "vitest";
import { KEEP_MS_MAX, KEEP_MS_MIN, keepMessage, keepMs } from "./keep-message.ts";
import { findRun } from "./run-options.ts";

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

test("a message of an unserved run is kept while there is such a run, and no longer", async () => {
  const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  const state = new Map<string, unknown>();
  const ctx = {
    get: async <Value>(name: string) => (state.get(name) ?? null) as Value | null,
    set: (name: string, value: unknown) => void state.set(name, value),
  };
  const owedWhere = async (isThere: boolean) => {
    const hasRun = async (asked: string) => isThere && asked === run;
    const portsOf = async () => ({ kind: "unserved", nowMs: 5, hasRun }) as const;
    const found = await findRun(`gone:${run}`, { portsOf });
    if (!("keptAtMs" in found)) throw new Error("nobody serves it");
    return keepMessage(ctx, found);
  };
  expect(await owedWhere(true)).toMatchObject({ nowMs: 5, wakeAtMs: 5 + KEEP_MS_MIN });
  expect(await owedWhere(false)).toEqual({ sequence: 0, continues: false, others: [], nowMs: 5 });
});
