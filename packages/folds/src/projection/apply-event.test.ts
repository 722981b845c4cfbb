import {
  SAMPLE_CONTENTS,
  SAMPLE_DEFAULTS,
  SAMPLE_REF,
  type SamplePlace,
  sampleEvent,
} from "@turnseal/ports";
import type { ClaimEffect, ContentOf, EventOf, LoopEvent, Resolution } from "@turnseal/protocol";
import { isVendorEventType, type LogEventType } from "@turnseal/protocol/trace";
import { describe, expect, test } from "vitest";
import { applyEvent, emptyProjection } from "./apply-event.ts";
import {
  ACTED_NAMES_MAX,
  type RunProjection,
  SIGNAL_NAMES_MAX,
  UNKNOWN_ENDS_MAX,
} from "./run-projection.ts";

let sequence = 0;

function event<Type extends LogEventType>(
  type: Type,
  fields: Partial<ContentOf<Type>> = {},
  place: SamplePlace = {},
): EventOf<Type> {
  sequence += 1;
  // The fields are those of the form that is the default of the type.
  const content = { ...SAMPLE_DEFAULTS[type], ...fields } as ContentOf<Type>;
  const made = { sequence, hash: `h${sequence}`, at: "2026-01-01T00:00:00.000Z" };
  return sampleEvent(type, content, { ...made, ...place });
}

const fold = (events: readonly LoopEvent[], from = emptyProjection("r")): RunProjection =>
  events.reduce(applyEvent, from);

const turn = { turn: 1 };
const reference = SAMPLE_REF;

test("a run starts with its spec and its input", () => {
  const { spec } = SAMPLE_CONTENTS.runStarted;
  const run = fold([event("run.started", { spec, input: reference })]);
  expect(run).toMatchObject({ spec, input: reference, startedAt: "2026-01-01T00:00:00.000Z" });
});

test("every event moves the head, also one that means nothing here", () => {
  const type: string = "acme.hit";
  if (!isVendorEventType(type)) throw new Error("it is a tool's");
  const last = sampleEvent(type, {}, { sequence: 7, hash: "h7" });
  expect(fold([event("log"), last])).toMatchObject({ sequence: last.sequence, hash: last.hash });
});

test("a turn is open from its start to its close, with the claims that are not settled", () => {
  const started = event("turn.started", {}, turn);
  const claim = event(
    "action.claimed",
    { key: "k", effect: "once", deadlineAt: "d", reserve: { effects: 1 } },
    { ...turn, call: "c", parentCall: "p" },
  );
  const open = fold([started, claim]);
  expect(open.openTurn).toMatchObject({ turn: 1, from: started.sequence, resumes: 0 });
  expect(open.openTurn?.open).toEqual([
    {
      key: "k",
      claim: claim.sequence,
      hash: claim.hash,
      call: "c",
      parentCall: "p",
      name: "local.pay",
      effect: "once",
      role: null,
      excluded: [],
      deadlineAt: "d",
      reserve: { effects: 1 },
      periods: null,
      isUnknown: false,
      handoff: null,
    },
  ]);
  expect(open.spending.open).toEqual({ effects: 1 });
  const unknown = fold([event("action.unknown", { claim: claim.sequence }, turn)], open);
  expect(unknown.openTurn?.open).toMatchObject([{ isUnknown: true }]);
  const settled = fold([event("action.settled", { claim: claim.sequence }, turn)], unknown);
  expect(settled.openTurn?.open).toEqual([]);
  const closed = fold(
    [event("turn.closed", { outcome: "completed", output: reference }, turn)],
    settled,
  );
  expect(closed).toMatchObject({
    openTurn: null,
    turns: 1,
    failures: 0,
    lastTurn: { turn: 1, outcome: "completed", output: reference, isDecided: false },
  });
});

test("a claim that takes the place of another drops it", () => {
  const first = event("action.claimed", { key: "k" }, turn);
  const run = fold([
    event("turn.started", {}, turn),
    first,
    sampleEvent("action.claimed", {
      ...SAMPLE_CONTENTS.claimedTool,
      supersedes: first.sequence,
    }),
  ]);
  expect(run.openTurn?.open).toHaveLength(1);
});

test("an event of another turn does not touch the open one", () => {
  const run = fold([
    event("turn.started", {}, turn),
    event("action.claimed", { key: "k" }, { turn: 2 }),
  ]);
  expect(run.openTurn?.open).toEqual([]);
});

test("failures are counted in a row", () => {
  const failed = event("turn.closed", { outcome: "failed" }, turn);
  const completed = event("turn.closed", { outcome: "completed" }, turn);
  expect(fold([failed, failed]).failures).toBe(2);
  expect(fold([failed, completed]).failures).toBe(0);
});

test("resumes are counted until the turn gets further: doing the same anew is not further", () => {
  const resumed = event("turn.resumed", {}, turn);
  const claimed = event("action.claimed", { key: "k" }, turn);
  const resolved = (resolution: Resolution) => event("action.resolved", { resolution }, turn);
  const start = [event("turn.started", {}, turn), resumed];
  const count = (events: readonly LoopEvent[]) => fold([...start, ...events]).openTurn?.resumes;
  expect(count([resumed])).toBe(2);
  expect(count([resolved("again"), claimed, resumed])).toBe(2);
  expect(count([resolved("orphaned"), claimed, resumed])).toBe(2);
  expect(count([event("action.settled", {}, turn)])).toBe(0);
  for (const resolution of ["happened", "never", "retry", "abandon"] as const)
    expect(count([resolved(resolution)])).toBe(0);
});

test("a turn waits for a time or for a person, until something is done about it", () => {
  const start = [event("turn.started", {}, turn)];
  const until = "2026-01-01T00:00:05.000Z";
  const wait = (content: ContentOf<"turn.waiting">) =>
    fold([...start, event("turn.waiting", content, turn)]);
  expect(wait({ for: "time", until }).openTurn?.waiting).toEqual({ for: "time", until });
  const asked = wait({ for: "person" });
  expect(asked.openTurn?.waiting).toEqual({ for: "person", until: null });
  const told = fold([event("action.resolved", { resolution: "retry" }, turn)], asked);
  expect(told.openTurn?.waiting).toBeNull();
  const signalled = fold([event("signal.received", {}, turn)], asked);
  expect(signalled.openTurn?.waiting).not.toBeNull();
});

test("what a call asked is void when the call ends", () => {
  const asked = (call: string) =>
    event(
      "question.asked",
      { key: "k", loop: "ask", version: "1.0.0", to: "person" },
      { ...turn, call },
    );
  const open = fold([event("turn.started", {}, turn), asked("c"), asked("d")]);
  expect(open.openTurn?.asked.map(({ call }) => call)).toEqual(["c", "d"]);
  const ended = fold([event("call.errored", {}, { ...turn, call: "c" })], open);
  expect(ended.openTurn?.asked.map(({ call }) => call)).toEqual(["d"]);
});

test("a decision names the receipt of the turn it is about, and is made once", () => {
  const run = fold([
    event("turn.closed", { outcome: "completed" }, turn),
    event("run.decided", { decision: "continue", receipt: "sha256:1" }),
  ]);
  expect(run).toMatchObject({ lastReceipt: "sha256:1", lastTurn: { isDecided: true } });
  expect(fold([event("run.decided", { receipt: null })]).lastTurn).toBeNull();
});

test("a stop has its reason, and a cancel is remembered", () => {
  expect(fold([event("run.stopped", { reason: "failed" })]).stopped).toBe("failed");
  expect(fold([sampleEvent("signal.received", SAMPLE_CONTENTS.cancel)]).isCancelled).toBe(true);
  expect(fold([sampleEvent("signal.received", SAMPLE_CONTENTS.refused)]).isCancelled).toBe(false);
});

test("the latest payload of SIGNAL_NAMES_MAX names is kept, and not of one more", () => {
  const signal = (name: string, size = 1) =>
    sampleEvent("signal.received", {
      ...SAMPLE_CONTENTS.signal,
      name,
      payload: { ...reference, size },
    });
  const names = Array.from({ length: SIGNAL_NAMES_MAX }, (_, index) => `n${index}`);
  const full = fold(names.map((name) => signal(name)));
  expect(Object.keys(full.signals)).toHaveLength(SIGNAL_NAMES_MAX);
  expect(fold([signal("one-more")], full).signals).toEqual(full.signals);
  expect(fold([signal("n0", 7)], full).signals["n0"]).toMatchObject({ size: 7 });
});

test("a signal may have the name of a prototype's field", () => {
  const payload = reference;
  const signal = { ...SAMPLE_CONTENTS.signal, name: "__proto__", payload };
  const run = fold([sampleEvent("signal.received", signal)]);
  expect(Object.keys(run.signals)).toEqual(["__proto__"]);
});

test("the state before is not changed", () => {
  const before = emptyProjection("r");
  applyEvent(before, event("run.stopped", { reason: "failed" }));
  expect(before).toEqual(emptyProjection("r"));
});

describe("an action whose end nobody knows when its turn is closed", () => {
  const cut = (number: number, effect: ClaimEffect): LoopEvent[] => [
    event("turn.started", {}, { turn: number }),
    event("action.claimed", { key: "k", effect }, { turn: number }),
    event("action.unknown", { claim: sequence }, { turn: number }),
    event("turn.closed", { outcome: "cancelled" }, { turn: number }),
  ];

  test("stays known, also after later turns", () => {
    const events = [...cut(1, "once"), event("turn.started", {}, { turn: 2 })];
    const claim = events[1]?.sequence;
    expect(fold(events).unknownEnds).toMatchObject([{ turn: 1, claim, name: "local.pay" }]);
  });

  test("is nothing where it only reads, or asks a model", () => {
    for (const effect of ["read", "repeatable"] as const)
      expect(fold(cut(1, effect))).not.toHaveProperty("unknownEnds");
  });

  test("is kept up to UNKNOWN_ENDS_MAX, the latest", () => {
    const turns = Array.from({ length: UNKNOWN_ENDS_MAX + 1 }, (_, at) => cut(at + 1, "once"));
    expect(fold(turns.slice(0, -1).flat()).unknownEnds).toHaveLength(UNKNOWN_ENDS_MAX);
    const all = fold(turns.flat()).unknownEnds ?? [];
    expect(all.map((end) => end.turn)).toEqual(
      Array.from({ length: UNKNOWN_ENDS_MAX }, (_, at) => at + 2),
    );
  });
});

test("what a turn did is known by name, each once, up to ACTED_NAMES_MAX; reading is not", () => {
  const claim = (at: number, effect: ClaimEffect = "once"): LoopEvent =>
    event("action.claimed", { tool: `local.t${at}`, effect } as never, turn);
  const claims = Array.from({ length: ACTED_NAMES_MAX }, (_, at) => claim(at));
  const begun = [event("turn.started", {}, turn), claim(99, "read"), claim(0), ...claims];
  const names = Array.from({ length: ACTED_NAMES_MAX }, (_, at) => `local.t${at}`);
  expect(fold(begun).openTurn?.acted).toEqual(names);
  expect(fold([...begun, claim(ACTED_NAMES_MAX)]).openTurn?.acted).toEqual(names);
});
