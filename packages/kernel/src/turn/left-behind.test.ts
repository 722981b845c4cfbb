/**
 * Parallel tools, where one ends the turn while another waits. A replay makes no events for the
 * waiting one that the record does not have.
 */
import { ModelError, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { LoopEvent, Policy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { GRACE_MS, INBOX_POLL_MS, LOG_WAIT_MS_MAX, TOOL_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import { readPolicy } from "../policy/compile-policy.ts";
import { replaySample } from "./replay-sample.test.data.ts";
import { openRun, type SampleRun, settle } from "./sample-run.test.data.ts";

const SECOND_MS = 1_000;
const object = { inputSchema: { type: "object" } };
const asks: Policy["rules"][number] = {
  ...{ id: "ask", decision: "ask", tools: ["local.pay"] },
  decideWithinMs: SECOND_MS,
};
const allows: Policy["rules"][number] = { id: "rest", decision: "allow" };
const question = toolLoop("confirm", {
  ...object,
  tool: { implementation: "turnseal.question", config: { withinMs: SECOND_MS } },
});
const thinker = promptLoop("thinker", {
  prompt: { template: "Think", variables: [] },
  backend: { id: "busy" },
});

/** The waiting tools, by their aliases. */
const waiters = { local__pay: "pay", turnseal__question: "confirm", loop__thinker: "thinker" };

function asking(...tools: readonly string[]): ScriptedReply {
  return { toolCalls: tools.map((tool) => ({ tool, input: {} })) };
}

/** A model that calls a waiting tool, and a tool that hangs. */
function openPair(waiter: keyof typeof waiters): SampleRun {
  const tools = [waiters[waiter], "look"].map((loopId) => ({ loopId, independent: true }));
  return openRun({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }),
      ...[toolLoop("pay", object), toolLoop("look", object), question, thinker],
    ],
    model: scriptedModel([asking(waiter, "local__look")]),
    models: {
      busy: {
        defaultModel: "busy",
        generate: async () => {
          throw new ModelError({
            ...{ code: "MODEL_RATE_LIMITED", message: "later", retry: "retry" },
            retryAfterMs: TOOL_TIMEOUT_MS_DEFAULT * 2,
          });
        },
      },
    },
    rules: { pinned: readPolicy({ name: "test", rules: [asks, allows] }) },
    tools: {
      "local.pay": { effect: "once", run: () => ({}) },
      "local.look": { effect: "read", run: () => new Promise(() => {}) },
    },
  });
}

const names = Object.keys(waiters) as (keyof typeof waiters)[];

test.each(names)("a turn that timed out beside a waiting %s replays", async (name) => {
  const run = openPair(name);
  const turning = run.turn();
  await settle();
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
  expect(await turning).toMatchObject({ outcome: "timed-out" });
  for (const nowMs of [0, Date.parse("2030-01-01T00:00:00.000Z")])
    expect(await replaySample(run, { nowMs })).toEqual({ kind: "identical" });
});

test.each(names)("a turn that was cancelled beside a waiting %s replays", async (name) => {
  const run = openPair(name);
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(INBOX_POLL_MS);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  for (const nowMs of [0, Date.parse("2030-01-01T00:00:00.000Z")])
    expect(await replaySample(run, { nowMs })).toEqual({ kind: "identical" });
});

/** Events after a refused tool that may not be stored yet when its process dies. */
const ends = [["child.completed"], ["call.errored", "child.completed"]] as const;

test.each(ends)("a resume goes on where %s %s is missing, while another acts", async (...types) => {
  const tools = ["pay", "helper"].map((loopId) => ({ loopId, independent: true }));
  const denies: Policy["rules"][number] = { id: "no", decision: "deny", tools: ["local.pay"] };
  let looked = 0;
  const run = openRun({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }),
      promptLoop("helper", {
        prompt: { template: "Help", variables: [], tools: [{ loopId: "look" }] },
        backend: { id: "helper" },
      }),
      ...[toolLoop("pay", object), toolLoop("look", object)],
    ],
    model: scriptedModel([asking("local__pay", "loop__helper"), "done"]),
    models: { helper: scriptedModel([asking("local__look"), "helped"]) },
    rules: { pinned: readPolicy({ name: "test", rules: [denies, allows] }) },
    tools: {
      "local.pay": () => ({}),
      "local.look": {
        effect: "read",
        run: () => {
          looked += 1;
          return looked === 1 ? new Promise(() => {}) : {};
        },
      },
    },
  });
  run.turn().catch(() => {});
  await settle();
  expect(await run.types()).toContain("call.errored");
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS);
  const isMissing = ({ type }: LoopEvent) => types.some((missing) => missing === type);
  const see = (events: readonly LoopEvent[]) => events.filter((event) => !isMissing(event));
  expect(await run.turn({ see })).toMatchObject({ outcome: "completed" });
  expect(looked).toBe(2);
});
