/** An item that was skipped has no result, and wins nothing. */
import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { drive, eachOf, endsOf, expectSound, openFanOut, pay } from "./sample-fan-out.test.data.ts";

const big: FlowNode = { ...pay(), when: "item > 10" };

async function run(flow: FlowNode) {
  const opened = openFanOut(flow, { effect: "read" });
  const outcome = await drive(opened);
  await expectSound(opened);
  return { opened, outcome };
}

test("any is won by one that did something", async () => {
  const { opened, outcome } = await run(eachOf([1, 20, 2], { body: big, join: "any" }));
  expect(outcome).toBe("completed");
  expect(opened.paid).toEqual([20]);
});

test.each(["any", { quorum: 2 }] as const)("%j fails where too few are left", async (join) => {
  const { opened, outcome } = await run(eachOf([1, 2, 3], { body: big, join }));
  expect(outcome).toBe("failed");
  expect(opened.paid).toEqual([]);
});

test("a quorum counts those that did something, and the rest is withdrawn", async () => {
  const flow = eachOf([1, 20, 30, 40], { body: big, join: { quorum: 2 }, concurrency: 1 });
  const { opened, outcome } = await run(flow);
  expect(outcome).toBe("completed");
  expect(endsOf(await opened.events())).toEqual(["0 ok", "1 ok", "2 ok", "3 withdrawn"]);
});

test("one that failed and was skipped for it wins nothing", async () => {
  const body: FlowNode = { ...pay(), onError: "skip" };
  const opened = openFanOut(eachOf([1, 2], { body, join: "any", concurrency: 1 }), {
    effect: "read",
    pay: (at) => {
      if (at === 1) throw new Error("not paid");
      return at;
    },
  });
  expect(await opened.turn()).toMatchObject({ outcome: "completed", output: 2 });
});

test("only the whole item counts: a node in it that was skipped does not", async () => {
  const body: FlowNode = { kind: "sequence", nodes: [{ ...pay(), when: "item > 10" }] };
  const { outcome } = await run(eachOf([1], { body, join: "any" }));
  expect(outcome).toBe("completed");
});

test("where all are wanted it stands in the list as null", async () => {
  const opened = openFanOut(eachOf([1, 20], { body: big }), { effect: "read" });
  expect(await opened.turn()).toMatchObject({ outcome: "completed", output: [null, 20] });
});

test("a resume comes to the same winner", async () => {
  const opened = openFanOut(eachOf([1, 20, 2], { body: big, join: "any", concurrency: 1 }), {
    effect: "read",
  });
  await opened.turn();
  const events = await opened.events();
  expect(endsOf(events)).toEqual(["0 ok", "1 ok", "2 withdrawn"]);
  await expectSound(opened);
});
