import { scriptedModel } from "@turnseal/ports";
import { type Effect, ToolError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { TOOL_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import { openRun, settle } from "../turn/sample-run.test.data.ts";

const effects: readonly Effect[] = ["read", "idempotent", "reconcile", "once"];
const hang = (): Promise<never> => new Promise(() => {});

test.each(effects)("nothing acts before its claim is durable: %s", async (effect) => {
  const order: string[] = [];
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect,
        run: () => {
          order.push("act");
          return {};
        },
      },
    },
    afterAppend: ({ events }) => order.push(...events.map(({ type }) => type)),
  });
  await run.turn();
  expect(order.slice(0, 5)).toEqual([
    "turn.started",
    "call.started",
    "call.input.validated",
    "action.claimed",
    "act",
  ]);
  expect(order.slice(5)).toEqual([
    "action.settled",
    "call.output.validated",
    "call.completed",
    "turn.closed",
  ]);
});

test("a model is not asked before the claim is durable either", async () => {
  const model = scriptedModel();
  const run = openRun({
    loops: [promptLoop("ask")],
    model,
    beforeAppend: () => {
      expect(model.requests).toHaveLength(0);
      throw new Error("crash");
    },
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(model.requests).toHaveLength(0);
});

test("a tool is given its key, its epoch and its deadline", async () => {
  const given: unknown[] = [];
  const run = openRun({
    loops: [toolLoop("look")],
    tools: {
      "local.look": {
        effect: "read",
        run: (_, { key, epoch, deadlineAt }) => {
          given.push({ key, epoch, deadlineAt });
          return {};
        },
      },
    },
  });
  await run.turn();
  const [claim] = await run.contents("action.claimed");
  expect(given).toEqual([{ key: claim?.["key"], epoch: 1, deadlineAt: claim?.["deadlineAt"] }]);
  const endMs = run.clock.now() + TOOL_TIMEOUT_MS_DEFAULT;
  expect(claim?.["deadlineAt"]).toBe(new Date(endMs).toISOString());
});

test.each(["idempotent", "once"] as const)(
  "an act that is cut off by its deadline is unknown, not settled: %s",
  async (effect) => {
    const run = openRun({
      loops: [toolLoop("pay")],
      tools: { "local.pay": { effect, run: hang } },
    });
    const turning = run.turn();
    await settle();
    run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
    const result = await turning;
    expect(await run.contents("action.unknown")).toMatchObject([{ status: "timed-out" }]);
    expect(await run.contents("action.settled")).toEqual([]);
    expect((await run.spending()).open).toEqual({ toolCalls: 1, effects: 1 });
    if (effect === "once")
      expect(result).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
    else expect(result).toMatchObject({ outcome: "unknown", reason: "TIMEOUT" });
  },
);

test("a read that is cut off by its deadline is settled: nothing can have happened", async () => {
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: hang } },
  });
  const turning = run.turn();
  await settle();
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
  expect(await turning).toMatchObject({ outcome: "timed-out", reason: "TIMEOUT" });
  expect(await run.contents("action.settled")).toMatchObject([{ status: "timed-out" }]);
});

test.each(["idempotent", "once"] as const)(
  "a tool that is not sure leaves its claim open, and a person is asked: %s",
  async (effect) => {
    const unsure = (): never => {
      throw new ToolError("TOOL_UNSURE", "the line went dead");
    };
    const run = openRun({
      loops: [toolLoop("pay")],
      tools: { "local.pay": { effect, run: unsure } },
    });
    expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
    expect(await run.contents("action.unknown")).toMatchObject([{ status: "failed" }]);
  },
);

test("a read that is not sure has failed, and that is all", async () => {
  const unsure = (): never => {
    throw new ToolError("TOOL_UNSURE", "the line went dead");
  };
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: unsure } },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  expect(await run.contents("action.unknown")).toEqual([]);
});

test.each(effects)("a tool that throws did not act, and is settled so: %s", async (effect) => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect,
        run: () => {
          throw new Error("no");
        },
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED", words: "no" });
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "failed", spent: { toolCalls: 1 } },
  ]);
  expect((await run.spending()).open).toEqual({});
});

test("an act whose deadline has passed does not begin, and is settled", async () => {
  let acts = 0;
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": () => {
        acts += 1;
        return {};
      },
    },
    afterAppend: ({ events }) => {
      // The worker is frozen between its claim and its act.
      if (events.at(-1)?.type === "action.claimed") run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "timed-out" });
  expect(acts).toBe(0);
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "timed-out", spent: { toolCalls: 1 } },
  ]);
  expect(await run.contents("action.unknown")).toEqual([]);
});

test("a worker whose epoch was taken settles nothing and reports nothing", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": async () => {
        await run.stores.log.takeEpoch(run.request.run);
        return {};
      },
    },
  });
  await expect(run.turn()).rejects.toMatchObject({ code: "LOG_FENCED" });
  expect((await run.types()).at(-1)).toBe("action.claimed");
});

test("an answer that is not plain JSON is settled, and fails the call", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": { effect: "once", run: () => ({ far: Number.POSITIVE_INFINITY }) } },
  });
  expect(await run.turn()).toMatchObject({ reason: "OUTPUT_VALIDATION_FAILED" });
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "ok", refused: "/far is not a finite number", spent: { toolCalls: 1, effects: 1 } },
  ]);
});
