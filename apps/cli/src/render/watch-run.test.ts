import { PassThrough } from "node:stream";
import type { JsonObject, LoopEvent } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
import { createScreen } from "./screen.ts";
import { watchRun } from "./watch-run.ts";

const spending = { settled: { turns: 1 }, assumed: {}, open: {} };

function event(type: string, content: JsonObject, place: Partial<LoopEvent> = {}): LoopEvent {
  const at = "2026-01-31T12:00:00.000Z";
  const actor = { kind: "kernel", id: "kernel" } as const;
  const known = { id: "e", run: "r", sequence: 1, epoch: 1, previous: "", hash: "", turn: 1 };
  return { ...known, type, at, actor, content, ...place };
}

const turn = [
  event("turn.started", {}),
  event("call.started", { loop: "greet", version: "1.0.0" }, { call: "c" }),
  event("log", { level: "info", message: { digest: "hmac-sha256:0" } }, { call: "c" }),
  event("acme.cache.hit", {}, { call: "c" }),
  event("action.settled", { action: "model", status: "ok", inputTokens: 5 }, { call: "c" }),
  event("call.completed", {}, { call: "c" }),
  event("turn.closed", { outcome: "completed", spending }),
  event("run.decided", { decision: "continue", reason: "goal-not-reached", receipt: "sha256:1" }),
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

  test("is one object for each turn, and nothing else, for a program", () => {
    const { out, err } = watch([...turn, ...turn], { json: true });
    expect(err).toBe("");
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ type: "turn", next: true });
  });

  test("says nothing at the decision before the first turn", () => {
    const decided = event("run.decided", { decision: "continue", reason: "first-turn" });
    expect(watch([decided]).out).toBe("");
  });

  test("forgets what the turn before has asked its model", () => {
    const bare = turn.filter(({ type }) => type !== "action.settled");
    expect(watch([...turn, ...bare]).out).toContain("no model has answered");
  });

  test("says that it waits for a time, and for which, but not for one that is over", () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(watch([event("turn.waiting", { for: "time", until })]).err).toContain(until);
    expect(watch([event("turn.waiting", { for: "time", until })], { json: true }).err).toBe("");
    const past = new Date(Date.now() - 1).toISOString();
    expect(watch([event("turn.waiting", { for: "time", until: past })]).err).toBe("");
    expect(watch([event("turn.waiting", { for: "person" })]).err).toBe("");
    expect(watch([event("turn.waiting", { for: "person", until })]).err).toBe("");
  });

  test("says until when it waits for a schedule, unless programs read it", () => {
    const schedules = [{ name: "yearly", cron: "0 0 1 1 *" }];
    const at = new Date().toISOString();
    const events = [
      event("run.started", { spec: { grant: { budget: {} }, bounds: { schedules } } }),
      event("turn.closed", { outcome: "completed", spending }),
      event("run.decided", { decision: "wait", reason: "signal-awaited" }, { at }),
    ];
    expect(watch(events).err).toMatch(/^note: waiting until \d{4}-01-01T\S+, when yearly comes$/m);
    expect(watch(events, { json: true }).err).toBe("");
  });
});
