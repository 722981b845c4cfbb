import type { Schedule } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { checkSchedule, dueTick, nextTick } from "./next-tick.ts";

const berlin = (cron: string): Schedule => ({ name: "s", cron, timezone: "Europe/Berlin" });

/** The times of a schedule between two instants. */
function listTicks(schedule: Schedule, from: string, to: string): string[] {
  const ticks: string[] = [];
  const endMs = Date.parse(to);
  for (let at = nextTick(schedule, Date.parse(from)); at !== undefined && at < endMs; ) {
    ticks.push(new Date(at).toISOString());
    at = nextTick(schedule, at);
  }
  return ticks;
}

test("a schedule without a time zone is in UTC, wherever the host is", () => {
  expect(listTicks({ name: "s", cron: "0 9 * * *" }, "2026-07-01T09:00:00Z", "2026-07-03")).toEqual(
    ["2026-07-02T09:00:00.000Z"],
  );
});

test("nine o'clock stays nine o'clock when the clocks change", () => {
  expect(listTicks(berlin("0 9 * * *"), "2026-03-28T00:00:00Z", "2026-03-31")).toEqual([
    "2026-03-28T08:00:00.000Z",
    "2026-03-29T07:00:00.000Z",
    "2026-03-30T07:00:00.000Z",
  ]);
});

test("a time that a day does not have comes when the clocks change", () => {
  expect(listTicks(berlin("30 2 * * *"), "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z")).toEqual([
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
});

test("a time that a day has twice comes once", () => {
  expect(listTicks(berlin("30 2 * * *"), "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z")).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("nothing is due before a time comes, and it is due from that instant on", () => {
  const schedule: Schedule = { name: "s", cron: "*/10 * * * *" };
  const at = Date.parse("2026-01-01T00:10:00Z");
  const afterMs = at - 600_000;
  expect(dueTick(schedule, { afterMs, nowMs: at - 1 })).toBeUndefined();
  expect(dueTick(schedule, { afterMs, nowMs: at })).toBe(at);
  expect(dueTick(schedule, { afterMs, nowMs: at + 1 })).toBe(at);
  expect(dueTick(schedule, { afterMs: at, nowMs: at + 1 })).toBeUndefined();
});

test.each([
  ...["* * * * *", "*/7 * * * *", "30 2 * * *", "0 0 1 * *", "15 2-3 * * 0", "59 23 L * *"],
])("%s: what is due is the latest time that has come, and then nothing is", (cron) => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 60; round++) {
    const afterMs = Date.parse("2026-10-20T00:00:00Z") + random(10 * 86_400_000);
    const nowMs = afterMs + random(4 * 86_400_000);
    const due = dueTick(berlin(cron), { afterMs, nowMs });
    const next = nextTick(berlin(cron), due ?? afterMs);
    expect(next).toBeGreaterThan(nowMs);
    if (due !== undefined) expect(due).toBeGreaterThan(afterMs);
    if (due !== undefined) expect(dueTick(berlin(cron), { afterMs: due, nowMs })).toBeUndefined();
  }
});

test.each([
  [{ name: "s", cron: "0 9 * * 1-5" }, undefined],
  [{ name: "s", cron: "61 * * * *" }, "five fields"],
  [{ name: "s", cron: "0 0 30 2 *" }, "never comes"],
  [{ name: "s", cron: "* * * * * *" }, "five fields"],
  [{ name: "s", cron: "0 9 * * *", timezone: "Mars/Olympus" }, "Europe/Berlin"],
])("%j is judged when a run starts", (schedule, problem) => {
  const found = checkSchedule(schedule);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test("a schedule that cannot be read never comes, and breaks nothing", () => {
  const broken = { name: "s", cron: "not a time" };
  expect(nextTick(broken, 0)).toBeUndefined();
  expect(dueTick(broken, { afterMs: 0, nowMs: 1 })).toBeUndefined();
});
