import { scriptedModel } from "@turnseal/ports";
import type { Effect } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import {
  GRACE_MS,
  INBOX_POLL_MS,
  LOG_WAIT_MS_MAX,
  RETRIES_MAX,
  RETRY_DELAY_MS,
  TOOL_TIMEOUT_MS_DEFAULT,
} from "../limits.ts";
import { openRun, type SampleRun, settle } from "../turn/sample-run.test.data.ts";

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
  const endMs = run.clock.now() + TOOL_TIMEOUT_MS_DEFAULT;
  const deadlineAt = new Date(endMs).toISOString();
  expect(given).toEqual([{ key: claim?.key, epoch: 1, deadlineAt }]);
  // Others leave the claim alone for as long as the log might have taken.
  expect(claim?.deadlineAt).toBe(new Date(endMs + LOG_WAIT_MS_MAX).toISOString());
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

/** A tool that throws each of these, one after the other, and then answers. */
function openThrowing(effect: Effect, ...errors: readonly Error[]) {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect,
        run: (_, { key }) => {
          keys.push(key);
          const error = errors[keys.length - 1];
          if (error !== undefined) throw error;
          return {};
        },
        reconcile: () => ({ kind: "happened" as const, result: {} }),
      },
    },
  });
  return { run, keys };
}

/** Runs the turn to its end, while time passes whenever it is waited for. */
async function turnInTime({ turn, clock }: SampleRun, passMs: number): Promise<unknown> {
  const turning = turn();
  for (let waits = 0; waits < RETRIES_MAX; waits++) {
    await settle();
    clock.advance(passMs);
  }
  return turning;
}

const broken = new Error("the line went dead");

test("after a throw of a tool that acts once nobody knows, and a person is asked", async () => {
  const { run, keys } = openThrowing("once", broken);
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  const [unknown] = await run.contents("action.unknown");
  expect(unknown).toMatchObject({ status: "failed", reason: { mediaType: "application/json" } });
  expect(await run.contents("action.settled")).toEqual([]);
  expect((await run.spending()).open).toEqual({ toolCalls: 1, effects: 1 });
  expect(keys).toHaveLength(1);
});

test("after a throw of a tool that can be asked, it is asked", async () => {
  const { run, keys } = openThrowing("reconcile", broken);
  const untilMs = run.clock.now() + TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS;
  expect(await run.turn()).toMatchObject({ kind: "waiting", untilMs });
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX + GRACE_MS);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(keys).toHaveLength(1);
});

test("a tool that honours its key is called again with the same", async () => {
  const { run, keys } = openThrowing("idempotent", ...Array(RETRIES_MAX).fill(broken));
  expect(await turnInTime(run, RETRY_DELAY_MS * 2)).toMatchObject({ outcome: "completed" });
  expect(keys).toHaveLength(1 + RETRIES_MAX);
  expect(new Set(keys).size).toBe(1);
  expect((await run.spending()).settled).toEqual({ turns: 1, toolCalls: 1, effects: 1 });
  expect((await run.spending()).open).toEqual({});
});

test("one that throws at its last call too has failed, and counts as done", async () => {
  const { run, keys } = openThrowing("idempotent", ...Array(RETRIES_MAX + 1).fill(broken));
  const failed = { outcome: "failed", reason: "TOOL_FAILED", words: "the line went dead" };
  expect(await turnInTime(run, RETRY_DELAY_MS * 2)).toMatchObject(failed);
  expect(keys).toHaveLength(1 + RETRIES_MAX);
  expect(new Set(keys).size).toBe(1);
  expect(await run.contents("action.unknown")).toEqual([]);
  expect((await run.spending()).settled).toEqual({ turns: 1, toolCalls: 1, effects: 1 });
});

test("its last words prove nothing of the calls before, and give no other key", async () => {
  const later = notDone("come back later", { mayRetry: true });
  const { run, keys } = openThrowing("idempotent", broken, later);
  expect(await turnInTime(run, RETRY_DELAY_MS * 2)).toMatchObject({ reason: "TOOL_FAILED" });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect((await run.spending()).settled).toEqual({ turns: 1, toolCalls: 1, effects: 1 });
});

test("a cancel while it would be called again leaves it unknown", async () => {
  const { run, keys } = openThrowing("idempotent", broken);
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(INBOX_POLL_MS);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  expect(keys).toHaveLength(1);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "cancelled" }]);
});

test.each(effects)("a tool that says that it did nothing is settled so: %s", async (effect) => {
  const { run } = openThrowing(effect, notDone("no"));
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED", words: "no" });
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "failed", spent: { toolCalls: 1 } },
  ]);
  expect((await run.spending()).open).toEqual({});
});

test("a read that throws has failed, and that is all", async () => {
  const { run } = openThrowing("read", broken);
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  expect(await run.contents("action.unknown")).toEqual([]);
});

const throwNow = (): never => {
  throw new Error("thrown while it was read");
};
const marked = { [Symbol.for("turnseal.error")]: true, code: "TOOL_UNAVAILABLE" };

test.each<[string, object]>([
  ["a text of its own", { ...marked, retry: "hunter2" }],
  ["a very long text", { ...marked, retry: "x".repeat(5_000_000) }],
  ["what is no JSON", { ...marked, retry: 10n }],
  ["what throws when it is read", Object.defineProperty({ ...marked }, "retry", { get: throwNow })],
  ["a code that throws", Object.defineProperty({ ...marked }, "code", { get: throwNow })],
  ["a code of its own", { ...marked, code: { secret: "hunter2" }, retry: "never" }],
])("an error whose advice is %s is settled without it", async (_, said) => {
  const { run } = openThrowing("read", Object.defineProperties(new Error("no"), fieldsOf(said)));
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  const [settled] = await run.contents("action.settled");
  expect(settled).not.toHaveProperty("retry");
  expect(settled).not.toHaveProperty("failure");
  expect(JSON.stringify(settled).length).toBeLessThan(1_000);
});

function fieldsOf(value: object): PropertyDescriptorMap {
  return Object.getOwnPropertyDescriptors(value);
}

test("what fails before the tool is executed did not happen", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": { effect: "once", secrets: ["PAY_KEY"], run: () => ({}) } },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  expect(await run.contents("action.unknown")).toEqual([]);
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
      if (events.at(-1)?.type === "action.claimed")
        run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT + LOG_WAIT_MS_MAX);
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "timed-out" });
  expect(acts).toBe(0);
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "timed-out", spent: { toolCalls: 1 } },
  ]);
  expect(await run.contents("action.unknown")).toEqual([]);
});

/** A log that takes its time to keep a claim, and a tool that takes its own. */
function openSlowLog(logMs: number, limitMs: number) {
  const deadlines: number[] = [];
  const run = openRun({
    loops: [toolLoop("pay", { policy: { timeoutMs: limitMs } })],
    tools: {
      "local.pay": (_, { deadlineAt, signal }) => {
        deadlines.push(Date.parse(deadlineAt) - run.clock.now());
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        );
      },
    },
    afterAppend: ({ events }) => {
      if (events.at(-1)?.type === "action.claimed") run.clock.advance(logMs);
    },
  });
  return { run, deadlines };
}

test.each([
  ["at the most that the log may take", LOG_WAIT_MS_MAX, 1_000],
  ["one past it", LOG_WAIT_MS_MAX + 1, 999],
])("the limit of a tool begins with its act: %s", async (_, logMs, leftMs) => {
  const { run, deadlines } = openSlowLog(logMs, 1_000);
  const turning = run.turn();
  await settle();
  expect(deadlines).toEqual([leftMs]);
  run.clock.advance(leftMs);
  expect(await turning).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
});

test("the time that the log took is in no duration", async () => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": () => ({}) },
    budget: { activeMs: 10_000 },
    afterAppend: ({ events }) => {
      if (events.at(-1)?.type === "action.claimed") run.clock.advance(LOG_WAIT_MS_MAX);
    },
  });
  await run.turn();
  expect(await run.contents("action.settled")).toMatchObject([{ status: "ok", durationMs: 0 }]);
  expect((await run.spending()).settled).not.toHaveProperty("activeMs");
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
