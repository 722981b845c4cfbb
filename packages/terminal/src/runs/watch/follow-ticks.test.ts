import type { LoopEvent, RunSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { followTicks } from "./follow-ticks.ts";

const at = "2026-11-15T12:00:00.000Z";
const schedules = [
  { name: "weekly", cron: "0 9 * * 1" },
  { name: "daily", cron: "0 8 * * *", timezone: "Europe/Berlin" },
];
const spec = { bounds: { schedules } } as unknown as RunSpec;
const event = (type: string, content: object) => ({ type, at, content }) as unknown as LoopEvent;
const waits = event("run.decided", { decision: "wait" });

const follow = (of: RunSpec | null, nowMs = Date.parse(at)) => {
  const take = followTicks(of, () => nowMs);
  return (each: LoopEvent) => {
    const note = take(each);
    return note === undefined ? undefined : formatLine(note, { isColoured: false });
  };
};

test("the next time of all schedules is said when the run waits for it", () => {
  const note = "note: waiting until 2026-11-16T07:00:00.000Z, when daily comes";
  expect(follow(spec)(waits)).toBe(note);
  const started = follow(null);
  expect(started(event("run.started", { spec }))).toBeUndefined();
  expect(started(waits)).toBe(note);
});

test("nothing is said of a run that goes on, has no schedule, or was woken long ago", () => {
  expect(follow(spec)(event("run.decided", { decision: "continue" }))).toBeUndefined();
  expect(follow(null)(waits)).toBeUndefined();
  expect(follow(spec, Date.parse("2026-11-16T07:00:00.000Z"))(waits)).toBeUndefined();
});
