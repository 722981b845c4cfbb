import { scriptedModel } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { GRACE_MS, INBOX_POLL_MS, LOG_WAIT_MS_MAX, TOOL_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import { replaySample } from "./replay-sample.test.data.ts";
import {
  crashAt,
  openRun,
  type SampleRun,
  type SampleRunOptions,
  settle,
} from "./sample-run.test.data.ts";

const agent = promptLoop("ask", {
  prompt: { template: "Go", variables: [], tools: [{ loopId: "pay" }] },
});

function openAgent(options: Partial<SampleRunOptions> = {}): SampleRun {
  return openRun({
    loops: [agent, toolLoop("pay")],
    model: scriptedModel([{ toolCalls: [{ tool: "local__pay", input: {} }] }, "done"]),
    tools: { "local.pay": { effect: "once", run: () => ({ paid: true }) } },
    ...options,
  });
}

test("a closed turn replays to the same events and the same statement", async () => {
  const run = openAgent();
  await run.turn();
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a turn that was resumed, asked about and told replays too", async () => {
  const run = openAgent({ beforeAppend: crashAt(3) });
  await expect(run.turn()).rejects.toThrow("crash");
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS);
  await run.turn();
  await run.turn({ word: { resolution: "happened", result: { paid: true } } });
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a tool that logs while time passes leaves no trace in what comes after it", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": (_, { log }) => {
        run.clock.advance(10);
        log("info", "on my way");
        run.clock.advance(10);
        return {};
      },
    },
  });
  await run.turn();
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

const refusals: readonly [string, Partial<SampleRunOptions>][] = [
  ["an exceeded budget", { budget: { toolCalls: 0 } }],
  ["a budget that ends between two rounds", { budget: { modelCalls: 1 } }],
  ["a tool that is not granted", { grant: { tools: [] } }],
  ["a grant that has expired", { grant: { expiresAt: "2025-01-01T00:00:00.000Z" } }],
];
test.each(refusals)("a turn that ended by %s replays", async (_, options) => {
  const run = openAgent(options);
  await run.turn();
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a turn replays after its grant has expired while it ran", async () => {
  const run = openAgent({
    grant: { expiresAt: "2026-01-01T00:00:10.000Z" },
    tools: {
      "local.pay": () => {
        run.clock.advance(20_000);
        return {};
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a turn that was cancelled while it waited for a person replays", async () => {
  const run = openAgent({ beforeAppend: crashAt(3) });
  await expect(run.turn()).rejects.toThrow("crash");
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS);
  await run.turn();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a turn that was cancelled while its tool ran replays", async () => {
  const run = openAgent({ tools: { "local.pay": () => new Promise(() => {}) } });
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(INBOX_POLL_MS);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("a turn whose events say other than its receipt is different", async () => {
  const run = openAgent();
  await run.turn();
  const change = (events: readonly LoopEvent[]): readonly LoopEvent[] =>
    events.map((event) =>
      event.type === "turn.closed"
        ? { ...event, content: { ...event.content, outcome: "failed" } }
        : event,
    );
  const edited = await replaySample(run, { change });
  expect(edited).toEqual({
    kind: "different",
    message: "the receipt says other than the events",
  });
});

test("a turn that is open, drifted or stalled has nothing to compare", async () => {
  const run = openAgent();
  await run.turn();
  const open = await replaySample(run, { change: (events) => events.slice(0, -1) });
  expect(open).toEqual({ kind: "not-replayable", reason: "the turn is open" });

  const stalled = openAgent({ beforeAppend: crashAt(2) });
  await expect(stalled.turn()).rejects.toThrow("crash");
  await stalled.turn({ isStalled: true });
  expect(await replaySample(stalled)).toEqual({ kind: "not-replayable", reason: "stalled" });
});
