import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { InvariantError } from "../error.ts";
import type { CallEvent } from "./call-event.ts";
import { createTracer, toTrace } from "./to-trace.ts";
import { TRACE_EVENT_TYPES } from "./trace-event.ts";

const vectors = JSON.parse(
  readFileSync(new URL("../../../../spec/vectors/event/to-trace.json", import.meta.url), "utf8"),
) as { input: { events: CallEvent[] } }[];
const events = vectors.flatMap(({ input }) => input.events);

test("the vectors show every type of LSEM", () => {
  const seen = new Set(toTrace(events).map(({ type }) => type));
  expect(TRACE_EVENT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
  expect(TRACE_EVENT_TYPES).toHaveLength(12);
});

test("events that come one by one are rendered as they are together", () => {
  const trace = createTracer();
  expect(events.flatMap(trace)).toEqual(toTrace(events));
});

test("the view shares no object with the events, so it can be changed", () => {
  const [error] = events.filter((event) => event.type === "call.errored");
  const vendor = events.find(({ type }) => String(type) === "acme.cache.hit");
  for (const event of [error, vendor]) {
    if (event === undefined) throw new Error("no such event");
    const [rendered] = toTrace([event]);
    expect(rendered?.payload).not.toBe(event.content);
    expect(rendered?.payload).not.toBe(event.attached);
  }
});

test("a native event that no call records is a bug", () => {
  const stray = { type: "run.started", at: "", call: "", content: {} } as unknown as CallEvent;
  expect(() => toTrace([stray])).toThrow(InvariantError);
});
