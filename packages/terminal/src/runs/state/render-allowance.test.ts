import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { ContentOf, EventOf, LoopEvent, LoopEventType } from "@turnseal/protocol";
import { ALLOWANCES_MAX, followAllowances } from "@turnseal/views";
import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { renderAllowance } from "./render-allowance.ts";

const kernel = { kind: "kernel", id: "kernel" } as const;
const ada = { kind: "person", id: "ada" } as const;
const at = "2026-01-31T12:00:00.000Z";
let sequence = 0;

function event<Type extends LoopEventType>(
  type: Type,
  content: ContentOf<Type>,
  actor: LoopEvent["actor"] = kernel,
): EventOf<Type> {
  sequence += 1;
  return sampleEvent(type, content, { sequence, actor, at });
}

const { claimedTool: pay, requestedTool, decided: yes } = SAMPLE_CONTENTS;

function follow(events: readonly LoopEvent[]) {
  const fold = followAllowances();
  events.forEach(fold.take);
  return fold.list();
}

function show(events: readonly LoopEvent[]): string[] {
  return follow(events).map((found) => formatLine(renderAllowance(found), { isColoured: false }));
}

test("a claim is followed to the approval that it used, and to the people who gave it", () => {
  sequence = 0;
  const decided = { ...yes, roles: ["finance"], receivedAt: at };
  const rule = { id: "large", file: "refunds.toml", line: 7 };
  const lines = show([
    event("approval.requested", requestedTool),
    event("approval.decided", decided, ada),
    event("action.claimed", { ...pay, approval: 1, rule, terms: ["shop"] }),
  ]);
  expect(lines).toEqual([
    "  local.pay (event 3): approved by ada (finance), event 2; rule large, refunds.toml:7; grant term local.pay, shop",
  ]);
});

test("what was allowed with a plan says which step of which plan it is", () => {
  sequence = 0;
  const planned = { plan: 1, step: 0, approvers: 1, useWithinMs: 60_000 };
  const lines = show([
    event("approval.requested", requestedTool),
    event("approval.decided", { ...yes, roles: [] }, ada),
    event("action.claimed", { ...pay, approval: 1, rule: { id: "pay" }, planned }),
  ]);
  expect(lines).toEqual([
    "  local.pay (event 3): approved by ada, event 2 with the plan, as its step 1 (event 1); rule pay; grant term local.pay",
  ]);
});

test("a handoff names the loop that it went to", () => {
  sequence = 0;
  const handoff = SAMPLE_CONTENTS.claimedHandoff;
  expect(show([event("action.claimed", { ...handoff, rule: { id: "small" } })])).toEqual([
    "  handoff to triage (event 1); rule small",
  ]);
});

test("what nobody was asked for names its rule and its term alone", () => {
  sequence = 0;
  expect(show([event("action.claimed", { ...pay, rule: { id: "small" } })])).toEqual([
    "  local.pay (event 1); rule small; grant term local.pay",
  ]);
});

test("another's approval, a no, a model and what only reads are no one's allowance", () => {
  sequence = 0;
  const found = follow([
    event("approval.requested", requestedTool),
    event("approval.decided", { ...yes, choice: "reject" }, ada),
    event("approval.decided", { ...yes, approval: 9 }, ada),
    event("action.claimed", { ...pay, approval: 1 }),
    event("action.claimed", SAMPLE_CONTENTS.claimedModel),
    event("action.claimed", { ...pay, effect: "read" }),
  ]);
  expect(found).toMatchObject([{ claim: 4, approval: 1, approvedBy: [] }]);
});

test("the latest ALLOWANCES_MAX are kept", () => {
  const claims = (count: number) =>
    Array.from({ length: count }, () => event("action.claimed", pay));
  sequence = 0;
  expect(follow(claims(ALLOWANCES_MAX))[0]?.claim).toBe(1);
  sequence = 0;
  const latest = follow(claims(ALLOWANCES_MAX + 1));
  expect([latest.length, latest[0]?.claim]).toEqual([ALLOWANCES_MAX, 2]);
});
