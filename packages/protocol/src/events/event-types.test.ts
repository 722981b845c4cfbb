import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isVendorEventType, LOG_EVENT_TYPES, VENDOR_TYPE_LENGTH_MAX } from "./event-types.ts";

const text = readFileSync(new URL("../../../../spec/events.md", import.meta.url), "utf8");

test("the list is the one of the specification, in the same order", () => {
  const table = text.slice(text.indexOf("**1.1**"), text.indexOf("**1.2**"));
  const named = Array.from(table.matchAll(/`([a-z.]+)`/g), (match) => match[1]);
  expect(named).toEqual([...LOG_EVENT_TYPES]);
});

test("the list is closed", () => {
  expect([...LOG_EVENT_TYPES]).toEqual([
    ...["run.started", "run.decided", "run.blocked", "run.stopped", "run.resolved"],
    ...[
      "signal.received",
      "turn.started",
      "turn.denied",
      "turn.resumed",
      "turn.waiting",
      "turn.closed",
    ],
    ...["call.started", "call.input.validated", "call.output.validated"],
    ...["call.completed", "call.errored", "child.started", "child.completed"],
    ...["fanout.fixed", "item.closed", "step.retried", "step.skipped"],
    "group.closed",
    ...["action.claimed", "action.settled", "action.unknown", "action.resolved"],
    "cache.hit",
    ...["approval.requested", "approval.decided", "approval.expired"],
    ...["question.asked", "question.answered", "plan.proposed", "plan.decided", "plan.closed"],
    ...["note.added", "note.expired", "drift.reconciled", "artifact.adopted", "log"],
  ]);
});

test("no native type can be a vendor's", () => {
  for (const type of LOG_EVENT_TYPES) {
    expect(isVendorEventType(type), type).toBe(false);
    expect(isVendorEventType(`${type}.more`), `${type}.more`).toBe(false);
  }
});

test("a vendor's type has VENDOR_TYPE_LENGTH_MAX characters at most", () => {
  const longest = `acme.${"a".repeat(VENDOR_TYPE_LENGTH_MAX - 5)}`;
  expect(isVendorEventType(longest)).toBe(true);
  expect(isVendorEventType(`${longest}a`)).toBe(false);
});
