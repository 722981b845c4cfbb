/** Nodes that are tried again while others run beside them. */
import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { settle } from "../../turn/sample-run.test.data.ts";
import {
  crashOnce,
  driveOn,
  flaky,
  LONG_MS,
  MOMENTS,
  openFlow,
  say,
  sayMapped,
  sequence,
  wayOf,
} from "./sample-flow.test.data.ts";

const soon = { strategy: "fixed", delayMs: 1_000 } as const;
const later = { strategy: "exponential", delayMs: LONG_MS } as const;

const flows: Readonly<Record<string, FlowNode>> = {
  "short and long delays": {
    kind: "parallel",
    branches: [
      flaky(1, { name: "a", retry: soon }),
      flaky(2, { name: "b", retry: later }),
      say("c"),
      flaky(1, { name: "d", retry: later }),
    ],
  },
  "what is borne and skipped": {
    kind: "parallel",
    branches: [
      flaky(9, { name: "a", retry: { ...soon, max: 2 }, onError: "skip" }),
      flaky(9, { name: "b", otherwise: say("instead") }),
      sequence(say("c", { when: "false" }), say("d")),
    ],
  },
  "a fan-out that is tried again": {
    kind: "parallel",
    concurrency: 1,
    branches: [say("a"), sequence(say("b"), flaky(1, { name: "c" }))],
    retry: { ...later, max: 3 },
  },
  "rounds and states in branches": {
    kind: "parallel",
    concurrency: 1,
    branches: [
      { kind: "repeat", max: 3, until: "round == 2", body: sayMapped({ n: "$.round" }) },
      {
        kind: "machine",
        initial: "a",
        states: {
          a: { body: flaky(1, { name: "s", retry: later }), transitions: [{ next: "b" }] },
          b: { body: say("b"), terminal: true },
        },
      },
    ],
  },
};

test.each(Object.entries(flows))("a crash at any append changes nothing: %s", async (_, flow) => {
  const calm = openFlow(flow);
  await driveOn(calm.run);
  const way = wayOf(await calm.run.events()).toSorted();
  const [end] = await calm.run.contents("turn.closed");
  expect(end?.outcome).toBe("completed");
  for (const moment of MOMENTS) {
    for (let place = 1; ; place++) {
      const crashed = await crashOnce(flow, { moment, place, input: {} });
      if (crashed === undefined) break;
      const { run } = crashed;
      expect(wayOf(await run.events()).toSorted(), `${moment} ${place}`).toEqual(way);
      const [closed] = await run.contents("turn.closed");
      expect(closed).toMatchObject({ outcome: "completed", output: end?.output });
      const settled = (await run.contents("action.settled")).map(({ key }) => key);
      expect(new Set(settled).size).toBe(settled.length);
    }
  }
});

test("one that is told to stop before its next try keeps no other waiting", async () => {
  const { run, keys } = openFlow({
    kind: "parallel",
    join: "any",
    branches: [
      flaky(9, { name: "a", retry: { strategy: "fixed", delayMs: 4_000 } }),
      flaky(1, { name: "b", retry: soon }),
    ],
  });
  const turning = run.turn();
  await settle();
  run.clock.advance(1_000);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(keys).toHaveLength(3);
  expect(await run.contents("step.retried")).toEqual([
    { path: "/flow/branches/1", attempt: 2, delayMs: 1_000, code: "TOOL_FAILED" },
  ]);
});

test("one that waits for long leaves the others to go on", async () => {
  const { run, said } = openFlow({
    kind: "parallel",
    branches: [flaky(1, { name: "a", retry: later }), sequence(say("b"), say("c"))],
  });
  const untilMs = run.clock.now() + LONG_MS;
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs, for: "time" });
  expect(said).toEqual(["b", "c"]);
  run.clock.advance(LONG_MS);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(said).toEqual(["b", "c"]);
});
