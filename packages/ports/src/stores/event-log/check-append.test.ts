import { EMPTY_HEAD, type LoopEvent } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  OTHER_RUN,
  sampleAppend,
  sampleEvents,
  sampleReceipt,
  sampleSnapshot,
} from "../sample-append.ts";
import { checkAppend } from "./check-append.ts";
import type { Append } from "./event-log.ts";

const append = sampleAppend(
  { epoch: 3, after: { sequence: 7, hash: "a".repeat(64) }, count: 3 },
  { receipt: sampleReceipt(1), snapshot: sampleSnapshot(10) },
);

function replaceEvent(
  index: number,
  change: Partial<Pick<LoopEvent, "run" | "epoch" | "sequence" | "previous">>,
): Append {
  const events = append.events.map((event, at) => (at === index ? { ...event, ...change } : event));
  return { ...append, events };
}

test("an append that fits itself is answered with its last event", () => {
  expect(checkAppend(append)).toBe(append.events[2]);
  const first = sampleAppend({ epoch: 1, after: EMPTY_HEAD });
  expect(checkAppend(first)).toBe(first.events[0]);
});

describe("a bug of the writer throws", () => {
  const misfits: Readonly<Record<string, Append>> = {
    "an append has at least one event": { ...append, events: [] },
    "event 8 of an append is of another run or epoch": replaceEvent(0, { run: OTHER_RUN }),
    "event 9 of an append is of another run or epoch": replaceEvent(1, { epoch: 4 }),
    "event 12 of an append follows event 9": replaceEvent(2, { sequence: 12 }),
    "event 8 of an append names another event as its previous one": replaceEvent(0, {
      previous: "",
    }),
    "event 1 of an append follows event 7": { ...append, events: sampleEvents({ epoch: 3 }) },
    "the receipt of an append is of another run": {
      ...append,
      receipt: sampleReceipt(1, OTHER_RUN),
    },
    "the snapshot of an append is of another run": {
      ...append,
      snapshot: sampleSnapshot(10, OTHER_RUN),
    },
    "the snapshot of an append has seen later events": {
      ...append,
      snapshot: sampleSnapshot(11),
    },
  };

  test.each(Object.entries(misfits))("%s", (message, misfit) => {
    const expected = expect.objectContaining({ code: "INVARIANT_BROKEN", message });
    expect(() => checkAppend(misfit)).toThrow(expected);
  });
});
