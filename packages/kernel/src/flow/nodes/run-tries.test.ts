import { manualClock } from "@turnseal/ports";
import type { RetrySpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { WAIT_IN_PLACE_MS_MAX } from "../../limits.ts";
import { settle } from "../../turn/sample-run.test.data.ts";
import {
  callFlow,
  driveOn,
  flaky,
  flowLoop,
  LONG_MS,
  openFlow,
  say,
  sequence,
  turnOn,
  wayOf,
} from "./sample-flow.test.data.ts";

const MINUTE_MS = 60_000;

test.each<[string, RetrySpec, number]>([
  ["immediate, three tries", { strategy: "immediate" }, 3],
  ["immediate, as many as it says", { strategy: "immediate", max: 2 }, 2],
  ["one try is no second", { strategy: "immediate", max: 1 }, 1],
])("tries are counted with the first: %s", async (_, retry, tries) => {
  const { error, way } = await callFlow(sequence(flaky(9, { retry })));
  expect(error?.code).toBe("CHILD_FAILED");
  expect(way.filter((line) => line.endsWith("failed"))).toHaveLength(tries);
});

test("a try that succeeds is the last", async () => {
  const { output, way } = await callFlow(sequence(flaky(1, { retry: { strategy: "immediate" } })));
  expect(output).toEqual({ calls: 2 });
  expect(way).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0 again 2 after 0: TOOL_FAILED",
    "/flow/nodes/0/tries/2",
  ]);
});

test("codes decide, not words: one that is not listed is not tried again", async () => {
  const { way } = await callFlow(
    sequence(flaky(1, { retry: { strategy: "immediate", on: ["BACKEND_FAILED"] } })),
  );
  expect(way).toEqual(["/flow/nodes/0", "/flow/nodes/0 failed"]);
});

test("what stands in a node that is tried again is called anew", async () => {
  const inner = { ...sequence(say("a"), flaky(1)), retry: { strategy: "immediate" } as const };
  const { way } = await callFlow(sequence(inner));
  expect(way).toEqual([
    "/flow/nodes/0/nodes/0",
    "/flow/nodes/0/nodes/1",
    "/flow/nodes/0/nodes/1 failed",
    "/flow/nodes/0 again 2 after 0: TOOL_FAILED",
    "/flow/nodes/0/tries/2/nodes/0",
    "/flow/nodes/0/tries/2/nodes/1",
  ]);
});

test("delays pass in place outside a run", async () => {
  const clock = manualClock();
  const beganMs = clock.now();
  const calling = callFlow(
    sequence(flaky(2, { retry: { strategy: "exponential", delayMs: LONG_MS } })),
    { clock },
  );
  for (const delayMs of [LONG_MS, 2 * LONG_MS]) {
    await settle();
    clock.advance(delayMs);
  }
  const { way } = await calling;
  expect(clock.now() - beganMs).toBe(3 * LONG_MS);
  expect(way.filter((line) => line.includes("again"))).toEqual([
    `/flow/nodes/0 again 2 after ${LONG_MS}: TOOL_FAILED`,
    `/flow/nodes/0 again 3 after ${2 * LONG_MS}: TOOL_FAILED`,
  ]);
});

test("outside a run no delay passes the deadline of the call", async () => {
  const clock = manualClock();
  const flow = flowLoop(
    sequence(flaky(9, { retry: { strategy: "fixed", delayMs: MINUTE_MS }, onError: "skip" })),
    { policy: { timeoutMs: 1_000 } },
  );
  const calling = callFlow(flow, { clock });
  await settle();
  clock.advance(1_000);
  expect((await calling).error).toEqual({
    code: "TIMEOUT",
    message: "/flow/nodes/0/tries/2 would start after the deadline",
  });
});

test("in a run a short delay is waited for in place", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: WAIT_IN_PLACE_MS_MAX };
  const { run } = openFlow(sequence(flaky(1, { retry })));
  const turning = run.turn();
  await settle();
  run.clock.advance(WAIT_IN_PLACE_MS_MAX - 1);
  await settle();
  expect(await run.types()).not.toContain("step.retried");
  run.clock.advance(1);
  expect(await turning).toMatchObject({ kind: "closed", outcome: "completed" });
  expect(await run.types()).not.toContain("turn.waiting");
});

test("a long delay puts the turn down until its time, once, and goes on from there", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: MINUTE_MS };
  const { run, keys } = openFlow(sequence(flaky(1, { retry })));
  const untilMs = run.clock.now() + MINUTE_MS;
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs, for: "time" });
  // Looked at too early, it says nothing new.
  run.clock.advance(100);
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs, for: "time" });
  expect(await run.contents("turn.waiting")).toEqual([
    { for: "time", until: new Date(untilMs).toISOString() },
  ]);
  run.clock.advance(MINUTE_MS - 100);
  expect(await run.turn()).toMatchObject({ kind: "closed", outcome: "completed" });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
  expect(wayOf(await run.events())).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    `/flow/nodes/0 again 2 after ${MINUTE_MS}: TOOL_FAILED`,
    "/flow/nodes/0/tries/2",
  ]);
});

test("the rest of a delay is waited for where a worker died in it", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: 4_000 };
  const { run } = openFlow(sequence(flaky(1, { retry })));
  void run.turn().catch(() => {});
  await settle();
  run.clock.advance(1_000);
  // Another worker takes over: the first one is fenced off.
  const turning = run.turn();
  await settle();
  run.clock.advance(2_999);
  await settle();
  expect(await run.types()).not.toContain("step.retried");
  run.clock.advance(1);
  expect(await turning).toMatchObject({ outcome: "completed" });
});

test("a cancel in a delay ends the call, and nothing is tried", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: 4_000 };
  const { run, keys } = openFlow(sequence(flaky(9, { retry, otherwise: say("b") })));
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(1_000);
  expect(await turning).toMatchObject({ outcome: "cancelled" });
  expect(keys).toHaveLength(1);
  expect(await run.types()).not.toContain("step.retried");
});

test("a cancel while the turn is put down ends it too", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: LONG_MS };
  const { run, keys } = openFlow(sequence(flaky(9, { retry, onError: "skip" })));
  await run.turn();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(keys).toHaveLength(1);
});

test("a node that takes too long fails with TIMEOUT, and each try has its time", async () => {
  const slow = { kind: "call", loopId: "slow", inputMapping: {} } as const;
  const retry: RetrySpec = { strategy: "fixed", delayMs: 2_000, max: 2 };
  const { run } = openFlow(
    sequence({ ...slow, name: "s", timeoutMs: 1_000, retry, onError: "skip" }, say("b")),
  );
  expect(await turnOn(run)).toMatchObject({ outcome: "completed" });
  expect(wayOf(await run.events())).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0 again 2 after 2000: TIMEOUT",
    "/flow/nodes/0/tries/2",
    "/flow/nodes/0/tries/2 failed",
    "/flow/nodes/0 skipped: failed TIMEOUT",
    "/flow/nodes/1",
  ]);
});

test("nothing inside a node makes up for the time of the node", async () => {
  const slow = { kind: "call", loopId: "slow", inputMapping: {} } as const;
  const retry: RetrySpec = { strategy: "immediate" };
  const inner = { ...sequence({ ...slow, retry, onError: "skip" }, say("b")), timeoutMs: 1_000 };
  const { run } = openFlow(sequence({ ...inner, otherwise: say("late") }));
  expect(await turnOn(run)).toMatchObject({ outcome: "completed" });
  expect(wayOf(await run.events())).toEqual([
    "/flow/nodes/0/nodes/0",
    "/flow/nodes/0/nodes/0 failed",
    "/flow/nodes/0/otherwise",
  ]);
});

test("the deadline of the composite is final", async () => {
  const slow = { kind: "call", loopId: "slow", inputMapping: {} } as const;
  const retry: RetrySpec = { strategy: "immediate" };
  const flow = flowLoop(
    sequence({ ...slow, retry, timeoutMs: 5_000, otherwise: say("b"), onError: "skip" }, say("c")),
    { policy: { timeoutMs: 1_000 } },
  );
  const { run } = openFlow(flow);
  expect(await turnOn(run)).toMatchObject({ outcome: "timed-out" });
  expect(wayOf(await run.events())).toEqual(["/flow/nodes/0", "/flow/nodes/0 failed"]);
});

test("the time of the turn put down is nobody's work", async () => {
  const retry: RetrySpec = { strategy: "fixed", delayMs: MINUTE_MS };
  const flow = flowLoop(sequence(flaky(1, { retry })), { policy: { timeoutMs: 1_000 } });
  const { run } = openFlow(flow);
  expect(await driveOn(run)).toMatchObject({ outcome: "completed" });
});
