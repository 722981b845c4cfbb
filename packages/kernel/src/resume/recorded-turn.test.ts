import { SAMPLE_CONTENTS, SAMPLE_DEFAULTS, type SamplePlace, sampleEvent } from "@turnseal/ports";
import type { ContentOf, EventOf } from "@turnseal/protocol";
import { isVendorEventType, type LogEventType } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { checkSame, readRecordedTurn } from "./recorded-turn.ts";

let sequence = 0;

function event<Type extends LogEventType>(
  type: Type,
  fields: Partial<ContentOf<Type>> = {},
  place: SamplePlace = {},
): EventOf<Type> {
  sequence += 1;
  const at = new Date(sequence * 1_000).toISOString();
  // The fields are those of the form that is the default of the type.
  const content = { ...SAMPLE_DEFAULTS[type], ...fields } as ContentOf<Type>;
  return sampleEvent(type, content, { sequence, at, ...callOf(type), ...place });
}

function callOf(type: LogEventType): SamplePlace {
  return /^(run|signal|turn)\./.test(type) ? {} : { call: "c" };
}

function vendorEvent(type: string): EventOf<"log"> | ReturnType<typeof sampleEvent> {
  if (!isVendorEventType(type)) throw new Error(`${type} is one of ours`);
  sequence += 1;
  return sampleEvent(type, {}, { sequence, call: "c" });
}

const drifted = { code: "LOG_DRIFTED" };

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test("events are taken off in order, each by its call", () => {
  const first = event("call.started");
  const other = event("call.started", {}, { call: "d" });
  const second = event("call.completed");
  const recorded = readRecordedTurn([event("turn.started"), first, other, second]);
  expect(recorded.takeEvent("c", "call.started")).toBe(first);
  expect(recorded.hasMore("c")).toBe(true);
  expect(recorded.takeEvent("c", "call.completed")).toBe(second);
  expect(recorded.hasMore("c")).toBe(false);
  expect(recorded.takeEvent("c", "anything")).toBeUndefined();
  expect(thrownBy(() => recorded.checkAllTaken())).toMatchObject(drifted);
  expect(recorded.takeEvent("d", "call.started")).toBe(other);
  expect(recorded.checkAllTaken()).toBeUndefined();
});

test("another event than the recorded one is drift", () => {
  const recorded = readRecordedTurn([event("call.input.validated")]);
  expect(thrownBy(() => recorded.takeEvent("c", "call.completed"))).toMatchObject(drifted);
});

test.each(["action.resolved", "approval.decided", "question.answered"] as const)(
  "%s after the end of its call is nobody's to make again",
  (type) => {
    const ended = event("call.errored");
    const recorded = readRecordedTurn([ended, event(type, { key: "k" })]);
    expect(recorded.takeEvent("c", "call.errored")).toBe(ended);
    expect(recorded.checkAllTaken()).toBeUndefined();
  },
);

test("other content than the recorded is drift, in whatever order of fields it is not", () => {
  const known = event("child.completed", { child: "a", status: "ok" });
  expect(checkSame(known, { status: "ok", child: "a" })).toBeUndefined();
  expect(thrownBy(() => checkSame(known, { child: "a", status: "error" }))).toMatchObject(drifted);
});

test("an action takes off its claim, what its tool said, and its end", () => {
  const claim = event("action.claimed", { key: "k" });
  const end = event("action.settled", { key: "k" });
  const after = event("call.output.validated");
  const recorded = readRecordedTurn([claim, event("log"), vendorEvent("acme.hit"), end, after]);
  expect(recorded.takeAction("c", "k")).toEqual({ claim, end, unknown: undefined, nevers: 0 });
  expect(recorded.takeEvent("c", "call.output.validated")).toBe(after);
});

test("an action that was claimed again is known by its latest claim", () => {
  const again = event("action.claimed", { key: "k", supersedes: 1 });
  const recorded = readRecordedTurn([
    event("action.claimed", { key: "k" }),
    event("action.unknown", { key: "k" }),
    event("action.resolved", { key: "k", resolution: "retry" }),
    again,
  ]);
  expect(recorded.takeAction("c", "k")).toEqual({
    claim: again,
    end: undefined,
    unknown: undefined,
    nevers: 0,
  });
});

test.each(["happened", "abandon"] as const)("nothing of the same key follows %s", (resolution) => {
  const end = event("action.resolved", { key: "k", resolution });
  const recorded = readRecordedTurn([event("action.claimed", { key: "k" }), end, event("log")]);
  expect(recorded.takeAction("c", "k")?.end).toBe(end);
  expect(recorded.hasMore("c")).toBe(true);
});

test("a claim of another key, or something that is no claim, is drift", () => {
  const other = readRecordedTurn([event("action.claimed", { key: "k" })]);
  expect(thrownBy(() => other.takeAction("c", "l"))).toMatchObject(drifted);
  const none = readRecordedTurn([event("call.completed")]);
  expect(thrownBy(() => none.takeAction("c", "k"))).toMatchObject(drifted);
  expect(readRecordedTurn([]).takeAction("c", "k")).toBeUndefined();
});

test.each(["CANCELLED", "BUDGET_EXCEEDED"] as const)(
  "a call that was refused its action says why: %s",
  (code) => {
    const recorded = readRecordedTurn([event("call.errored", { code })]);
    expect(recorded.refusalOf("c")).toMatchObject({ code });
    expect(recorded.hasMore("c")).toBe(true);
  },
);

test("an end of another kind is no refusal", () => {
  expect(
    readRecordedTurn([event("call.errored", { code: "TIMEOUT" })]).refusalOf("c"),
  ).toBeUndefined();
  expect(readRecordedTurn([event("call.completed")]).refusalOf("c")).toBeUndefined();
  expect(readRecordedTurn([]).refusalOf("c")).toBeUndefined();
});

test("a person's word that comes after its call has ended is not asked for", () => {
  const recorded = readRecordedTurn([
    event("call.errored", { code: "TIMEOUT" }),
    event("action.resolved", { key: "k", resolution: "happened" }),
  ]);
  recorded.takeEvent("c", "call.errored");
  expect(recorded.checkAllTaken()).toBeUndefined();
});

test("a call is cancelled from the cancel on, by the order of the log", () => {
  sequence += 1;
  const cancel = sampleEvent("signal.received", SAMPLE_CONTENTS.cancel, { sequence });
  const before = event("call.started", {}, { call: "c", sequence: cancel.sequence - 0.5 });
  const after = event("call.completed");
  const recorded = readRecordedTurn([before, cancel, after]);
  expect(recorded.isCancelled("c")).toBe(false);
  recorded.takeEvent("c", "call.started");
  expect(recorded.isCancelled("c")).toBe(true);
  expect(recorded.isCancelled("another")).toBe(true);
  expect(readRecordedTurn([before, after]).isCancelled("another")).toBe(false);
});

test("nobody works between the last word of the kernel and a resume", () => {
  const at = (ms: number) => ({ at: new Date(ms).toISOString() });
  const host = { kind: "host", id: "host" } as const;
  const person = { kind: "person", id: "me" } as const;
  const started = event("turn.started", {}, at(0));
  const waiting = event("turn.waiting", {}, at(1_000));
  const signal = event("signal.received", {}, { ...at(5_000), actor: person });
  const resumed = event("turn.resumed", {}, { ...at(9_000), actor: host });
  const again = event("turn.resumed", {}, { ...at(12_000), actor: host });
  const recorded = readRecordedTurn([started, waiting, signal, resumed, again]);
  expect(recorded.idleMs(waiting.sequence)).toBe(0);
  expect(recorded.idleMs(again.sequence)).toBe(8_000);
  expect(recorded.idleMs()).toBe(11_000);
});
