/** By the time of what follows a wait a resume knows that it is over: nothing follows earlier. */
import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { flaky, openFlow, say, sequence } from "../flow/nodes/sample-flow.test.data.ts";
import { type SampleRun, settle } from "../turn/sample-run.test.data.ts";

const DELAY_MS = 2_000;
const START_MS = Date.UTC(2026, 0, 1);
const END_MS = START_MS + DELAY_MS;
const until = new Date(END_MS).toISOString();

const waits: readonly [string, FlowNode, follows: string][] = [
  [
    "a time",
    sequence({ kind: "wait", for: { until: { const: until } } }, say("after")),
    "child.started",
  ],
  ["a try", flaky(1, { retry: { strategy: "fixed", delayMs: DELAY_MS } }), "step.retried"],
];

async function settleAll(): Promise<void> {
  for (let look = 0; look < 20; look++) await settle();
}

async function timeOf(run: SampleRun, type: string): Promise<number> {
  const found = (await run.events()).find((event) => event.type === type);
  return Date.parse(found?.at ?? "");
}

test.each(waits)("a clock that is put back meanwhile: %s", async (_, flow, follows) => {
  const { run } = openFlow(flow);
  const turning = run.turn();
  await settleAll();
  run.clock.advance(DELAY_MS);
  run.clock.jump(START_MS + DELAY_MS / 2);
  await settleAll();
  run.clock.advance(DELAY_MS / 2);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(await timeOf(run, follows)).toBe(END_MS);
});

test.each(waits)("a timer that fires before its time: %s", async (_, flow, follows) => {
  const { run } = openFlow(flow);
  const after = run.clock.after.bind(run.clock);
  run.clock.after = (delayMs, callback) => after(Math.max(1, delayMs - 1), callback);
  const turning = run.turn();
  await settleAll();
  run.clock.advance(DELAY_MS - 1);
  await settleAll();
  run.clock.advance(1);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(await timeOf(run, follows)).toBe(END_MS);
});
