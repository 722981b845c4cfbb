/** The time that an item has is its own: it begins when the item does. */
import type { FlowNode, ForEachNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { WAIT_IN_PLACE_MS_MAX } from "../../../limits.ts";
import { crashAt, settle } from "../../../turn/sample-run.test.data.ts";
import { eachOf, endsOf, openFanOut, pay } from "./sample-fan-out.test.data.ts";

const ACT_MS = 600;

/** A run in which each payment takes its time. */
function openSlow(flow: FlowNode, options: Parameters<typeof openFanOut>[1] = {}) {
  const acting: (() => void)[] = [];
  const run = openFanOut(flow, {
    effect: "read",
    pay: (at) => new Promise((resolve) => acting.push(() => resolve(at))),
    ...options,
  });
  const go = async (): Promise<string> => {
    for (let moves = 0; moves < 50; moves++) {
      let isOver = false;
      const turning = run.turn().then(
        () => {
          isOver = true;
        },
        (error: unknown) => {
          if ((error as Error).message !== "crash") throw error;
          isOver = true;
        },
      );
      for (let steps = 0; steps < 50 && !isOver; steps++) {
        await settle();
        if (acting.length > 0) run.clock.advance(ACT_MS);
        for (const end of acting.splice(0)) end();
      }
      await turning;
      const closed = (await run.events()).find((event) => event.type === "turn.closed");
      if (closed !== undefined) return closed.content.outcome;
    }
    return "endless";
  };
  return { ...run, go };
}

const inLine = (fields: Partial<ForEachNode>): FlowNode =>
  eachOf([1, 2, 3, 4], { concurrency: 1, ...fields });

test.each<[string, FlowNode]>([
  ["a call", inLine({ body: { ...pay(), timeoutMs: 1_000 } })],
  ["a sequence", inLine({ body: { kind: "sequence", nodes: [pay()], timeoutMs: 1_000 } })],
  [
    "a sequence whose node has a time, too",
    inLine({
      body: { kind: "sequence", nodes: [{ ...pay(), timeoutMs: 900 }], timeoutMs: 1_000 },
    }),
  ],
  ["a fan-out in it", inLine({ body: { ...eachOf([1], { as: "part" }), timeoutMs: 1_000 } })],
])("the time of an item does not run while it stands in line: %s", async (_, flow) => {
  const run = openSlow(flow);
  expect(await run.go()).toBe("completed");
  expect(run.paid).toHaveLength(4);
});

test("it runs when the item has begun, over all that stands in it", async () => {
  const body: FlowNode = { kind: "sequence", nodes: [pay(), pay()], timeoutMs: 1_000 };
  const run = openSlow(inLine({ body, onItemError: "continue" }));
  expect(await run.go()).toBe("completed");
  expect(endsOf(await run.events())).toEqual(["0 error", "1 error", "2 error", "3 error"]);
});

test("a resume comes to the same end, wherever the worker died", async () => {
  const body: FlowNode = { kind: "sequence", nodes: [pay(), pay()], timeoutMs: 1_300 };
  const places: string[] = [];
  for (let place = 1; ; place++) {
    const crash = crashAt(place);
    let appends = 0;
    const afterAppend = (): void => {
      appends += 1;
      crash();
    };
    const run = openSlow(inLine({ body, onItemError: "continue" }), { afterAppend });
    places.push(await run.go());
    // Time does not count while the worker is down, and its work is done again.
    expect(endsOf(await run.events())).toEqual(["0 ok", "1 ok", "2 ok", "3 ok"]);
    if (appends < place) break;
  }
  expect(new Set(places)).toEqual(new Set(["completed"]));
  expect(places.length).toBeGreaterThan(5);
});

test("an item that waits for a time first begins with what it does then", async () => {
  const until = { const: new Date(WAIT_IN_PLACE_MS_MAX).toISOString() };
  const body: FlowNode = {
    kind: "sequence",
    nodes: [{ kind: "wait", for: { until } }, pay()],
    timeoutMs: 1_000,
  };
  const run = openSlow(inLine({ body }));
  expect(await run.go()).toBe("completed");
});
