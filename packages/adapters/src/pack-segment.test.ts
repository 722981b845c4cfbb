import { sampleAppend } from "@turnseal/ports/contracts";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { cutRange, holdsEvent, packSegment, toRange, unpackSegment } from "./pack-segment.ts";
import { packText, unpackText } from "./pack-text.ts";

const { run, events } = sampleAppend({ epoch: 1, count: 10 });
const rowOf = (some: readonly LoopEvent[]) => ({
  ...{ run, first: some[0]?.sequence ?? 0, last: some.at(-1)?.sequence ?? 0 },
  body: packSegment(some),
});
const rows = [rowOf(events.slice(0, 4)), rowOf(events.slice(4, 5)), rowOf(events.slice(5))];

test("events come back as they were, and their text is their canonical JSON", () => {
  expect(unpackSegment(rowOf(events))).toEqual(events);
  const bodies = events.map(({ run: _, sequence: __, ...body }) => canonicalize(body));
  expect(unpackText(packSegment(events))).toBe(`[${bodies.join()}]`);
});

test("a range begins and ends anywhere in a segment", () => {
  expect(cutRange(rows, toRange(-3, 4))).toEqual(events.slice(0, 4));
  expect(cutRange(rows, toRange(3, 1))).toEqual(events.slice(2, 3));
  expect(cutRange(rows, toRange(3, 5))).toEqual(events.slice(2, 7));
  expect(cutRange(rows.slice(2), toRange(8, 99))).toEqual(events.slice(7));
  expect(cutRange(rows, toRange(1, 0))).toEqual([]);
  expect(cutRange([], toRange(1, 10))).toEqual([]);
});

test("where a segment is lost, what is left is read from where it is", () => {
  const left = [rowOf(events.slice(4, 7)), rowOf(events.slice(7))];
  expect(cutRange(left, toRange(1, 99))).toEqual(events.slice(4));
  expect(cutRange(left, toRange(1, 4))).toEqual(events.slice(4, 8));
  expect(cutRange(left, toRange(6, 2))).toEqual(events.slice(5, 7));
});

test("a segment holds an event only where each byte is the same", () => {
  const [, second] = events;
  if (second === undefined) throw new Error("there are ten");
  expect(holdsEvent(rowOf(events), second)).toBe(true);
  expect(holdsEvent(rowOf(events), { ...second, hash: "x" })).toBe(false);
  expect(holdsEvent(rowOf(events), { ...second, sequence: 99 })).toBe(false);
});

test("a row that is not what it says is reported as damage", () => {
  const whole = rowOf(events);
  for (const row of [
    { ...whole, last: whole.last + 1 },
    { ...whole, last: whole.last - 1 },
    { ...whole, body: whole.body.subarray(0, -3) },
    { ...whole, body: packText("{}") },
    { ...whole, body: packText("[1]"), last: whole.first },
    { ...whole, body: packText("no JSON") },
  ])
    expect(() => unpackSegment(row)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
});
