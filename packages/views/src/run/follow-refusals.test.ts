import { SAMPLE_CONTENTS, type SamplePlace, sampleEvent } from "@turnseal/ports";
import type {
  CallErrorCode,
  ContentOf,
  EventOf,
  LoopEvent,
  LoopEventType,
} from "@turnseal/protocol";
import { expect, test } from "vitest";
import { followRefusals, REFUSALS_MAX } from "./follow-refusals.ts";

let sequence = 0;

function event<Type extends LoopEventType>(
  type: Type,
  content: ContentOf<Type>,
  place: SamplePlace = {},
): EventOf<Type> {
  sequence += 1;
  return sampleEvent(type, content, { sequence, ...place });
}

const failed = (code: CallErrorCode, message: string, calls: SamplePlace): LoopEvent =>
  event("call.errored", { ...SAMPLE_CONTENTS.callErrored, code, message }, calls);

const denied = (message: string, calls: SamplePlace): LoopEvent =>
  failed("POLICY_DENIED", message, calls);

function follow(events: readonly LoopEvent[]) {
  const fold = followRefusals();
  events.forEach(fold.take);
  return fold.list();
}

test("a refusal is told once, where it was met, and not by the calls above", () => {
  sequence = 0;
  const refused = follow([
    denied("local.pay is denied: rule freeze", { call: "c", parentCall: "b" }),
    denied("local.pay is denied: rule freeze", { call: "b", parentCall: "a" }),
    denied("local.pay is denied: rule freeze", { call: "a" }),
    event("turn.closed", SAMPLE_CONTENTS.turnClosed),
    denied("local.mail is not allowed: tool-not-granted", { call: "d", parentCall: "a" }),
    denied("local.mail is not allowed: tool-not-granted", { call: "e", parentCall: "a" }),
  ]);
  expect(refused.map(({ event: at, what }) => [at, what])).toEqual([
    [1, "local.pay is denied: rule freeze"],
    [5, "local.mail is not allowed: tool-not-granted"],
    [6, "local.mail is not allowed: tool-not-granted"],
  ]);
});

test("a turn that is not admitted is refused, and what fails otherwise is not", () => {
  sequence = 0;
  const refused = follow([
    event("turn.denied", { reason: "grant-expired" }),
    failed("BUDGET_EXCEEDED", "no price is known for a/b", { call: "b" }),
    failed("TOOL_FAILED", "local.pay failed", { call: "c" }),
  ]);
  expect(refused.map(({ what }) => what)).toEqual([
    "turn 1 was denied: grant-expired",
    "no price is known for a/b",
  ]);
});

test("the latest REFUSALS_MAX are kept", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => denied(`no ${at}`, { call: `c${at}` }));
  expect(follow(many(REFUSALS_MAX))).toHaveLength(REFUSALS_MAX);
  const latest = follow(many(REFUSALS_MAX + 1));
  expect(latest).toHaveLength(REFUSALS_MAX);
  expect(latest[0]?.what).toBe("no 1");
});
