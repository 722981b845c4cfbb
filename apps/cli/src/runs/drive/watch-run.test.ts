import { PassThrough } from "node:stream";
import { SAMPLE_CONTENTS, SAMPLE_DEFAULTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { isVendorEventType } from "@turnseal/protocol/trace";
import { createScreen } from "@turnseal/terminal";
import { watchRun } from "@turnseal/terminal/runs";
import { describe, expect, test } from "vitest";
import { readWritten } from "../../read-written.test.data.ts";

const spending = { settled: { turns: 1 }, assumed: {}, open: {} };

const { turnStarted, callStarted, settledModel, turnClosed, runDecided } = SAMPLE_CONTENTS;

function vendorEvent(type: string): LoopEvent {
  if (!isVendorEventType(type)) throw new Error(`${type} is one of ours`);
  return sampleEvent(type, {});
}

const turn: readonly LoopEvent[] = [
  sampleEvent("turn.started", turnStarted),
  sampleEvent("call.started", { ...callStarted, loop: "greet" }),
  sampleEvent("log", SAMPLE_DEFAULTS.log),
  vendorEvent("acme.cache.hit"),
  sampleEvent("action.settled", { ...settledModel, inputTokens: 5 }),
  sampleEvent("call.completed", { durationMs: 0 }),
  sampleEvent("turn.closed", { ...turnClosed, spending }),
  sampleEvent("run.decided", { ...runDecided, receipt: "sha256:1" }),
];

function watch(events: readonly LoopEvent[], options: { json?: boolean } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { out: createScreen(stdout, {}), err: createScreen(stderr, {}) };
  const watched = watchRun(terminal, options);
  events.forEach(watched.onEvent);
  void watched.finish();
  return { out: readWritten(stdout), err: readWritten(stderr) };
}

describe("a run that is watched", () => {
  test("shows the calls of a turn and says at its end what came of it", () => {
    const { out, err } = watch(turn);
    expect(err).toBe("▸ greet 1.0.0\n✓ greet 1.0.0  0 ms\n");
    expect(out).toMatch(/^turn 1 {2}completed\n/);
    expect(out).toContain("next      another turn: the output does not meet the goal yet");
    expect(out).toContain("context   5 tokens in the last request");
  });

  test("says what a cache of the provider held of the last request", () => {
    const settled = { ...settledModel, inputTokens: 5, cacheReadTokens: 4 };
    const { out } = watch(
      turn.map((event) =>
        event.type === "action.settled" ? sampleEvent("action.settled", settled) : event,
      ),
    );
    expect(out).toContain("context   5 tokens in the last request, 4 from a cache");
  });

  test("is one object for each turn, and nothing else, for a program", () => {
    const { out, err } = watch([...turn, ...turn], { json: true });
    expect(err).toBe("");
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ type: "turn", next: true });
  });

  test("says nothing at the decision before the first turn", () => {
    const decided = sampleEvent("run.decided", { ...runDecided, reason: "first-turn" });
    expect(watch([decided]).out).toBe("");
  });

  test("forgets what the turn before has asked its model", () => {
    const bare = turn.filter(({ type }) => type !== "action.settled");
    expect(watch([...turn, ...bare]).out).toContain("no model has answered");
  });

  test("says that it waits for a time, and for which, but not for one that is over", () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(watch([sampleEvent("turn.waiting", { for: "time", until })]).err).toContain(until);
    expect(watch([sampleEvent("turn.waiting", { for: "time", until })], { json: true }).err).toBe(
      "",
    );
    const past = new Date(Date.now() - 1).toISOString();
    expect(watch([sampleEvent("turn.waiting", { for: "time", until: past })]).err).toBe("");
    expect(watch([sampleEvent("turn.waiting", { for: "person" })]).err).toBe("");
    expect(watch([sampleEvent("turn.waiting", { for: "person", until })]).err).toBe("");
  });

  test("says until when it waits for a schedule, unless programs read it", () => {
    const schedules = [{ name: "yearly", cron: "0 0 1 1 *" }];
    const at = new Date().toISOString();
    const { runStarted } = SAMPLE_CONTENTS;
    const bounds = { ...runStarted.spec.bounds, schedules };
    const spec = { ...runStarted.spec, bounds };
    const waited = { decision: "wait", reason: "signal-awaited", receipt: null } as const;
    const events = [
      sampleEvent("run.started", { ...runStarted, spec }),
      sampleEvent("turn.closed", { ...turnClosed, spending }),
      sampleEvent("run.decided", waited, { at }),
    ];
    expect(watch(events).err).toMatch(/^note: waiting until \d{4}-01-01T\S+, when yearly comes$/m);
    expect(watch(events, { json: true }).err).toBe("");
  });
});
