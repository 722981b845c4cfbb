/** Results of a fan-out: its size, the successes it needs, the failures it tolerates. */
import type { ForEachNode, JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openWorld, toolLoop } from "../../../call/sample-world.test.data.ts";
import {
  askAlways,
  drive,
  eachOf,
  endsOf,
  flowLoop,
  openFanOut,
  pay,
} from "./sample-fan-out.test.data.ts";

/** An item that is a number below zero fails; `much` is large. */
const payPositive = (at: unknown): unknown => {
  if (Number(at) < 0) throw new Error("not paid");
  return at === "much" ? "m".repeat(400_000) : at;
};

const ok = (output: JsonValue) => ({ status: "ok", output });

async function runEach(list: JsonValue, fields: Partial<ForEachNode> = {}) {
  const run = openFanOut(eachOf([], { items: "$.input.list", concurrency: 1, ...fields }), {
    input: { list },
    pay: payPositive,
    effect: "read",
  });
  const result = await run.turn();
  const [errored] = (await run.contents("call.errored")).slice(-1);
  return { run, result, ends: endsOf(await run.events()), errored };
}

test("of no items all is an empty list", async () => {
  const { result, ends } = await runEach([]);
  expect(result).toMatchObject({ outcome: "completed", output: [] });
  expect(ends).toEqual([]);
});

test.each([
  ["any", "any", 1],
  ["a quorum of two", { quorum: 2 }, 2],
] as const)("of no items %s fails, and says how many are wanted", async (_, join, wanted) => {
  const { result, errored } = await runEach([], { join });
  expect(result).toMatchObject({ outcome: "failed", reason: "CHILD_FAILED" });
  expect(errored).toMatchObject({ message: `${wanted} have to succeed, and there are 0` });
});

test("of one item a quorum of two fails before it begins, and it is withdrawn", async () => {
  const { run, result, ends, errored } = await runEach([7], { join: { quorum: 2 } });
  expect(result).toMatchObject({ outcome: "failed", reason: "CHILD_FAILED" });
  expect(errored).toMatchObject({ message: "2 have to succeed, and there are 1" });
  expect(ends).toEqual(["0 withdrawn"]);
  expect(await run.contents("child.started")).toEqual([]);
});

test.each([
  ["all", "all", [7]],
  ["any", "any", 7],
  ["quorum", { quorum: 1 }, [7]],
] as const)("of one item %s is what it gave", async (_, join, output) => {
  const { result } = await runEach([7], { join });
  expect(result).toMatchObject({ outcome: "completed", output });
});

test("all: the first failure ends it, and those behind never begin", async () => {
  const { run, result, ends, errored } = await runEach([1, -2, 3]);
  expect(result).toMatchObject({ outcome: "failed", reason: "CHILD_FAILED" });
  expect(ends).toEqual(["0 ok", "1 error", "2 withdrawn"]);
  expect(errored).toMatchObject({ message: "item 1 failed: TOOL_FAILED" });
  expect(run.paid).toEqual([1]);
});

test("all that goes on tells of each item whether it failed, in order of the list", async () => {
  const { result, ends } = await runEach([1, -2, 3], { onItemError: "continue" });
  expect(ends).toEqual(["0 ok", "1 error", "2 ok"]);
  expect(result).toMatchObject({
    outcome: "completed",
    output: [ok(1), { status: "error", error: { code: "TOOL_FAILED" } }, ok(3)],
  });
});

test.each([
  [{ count: 1 }, [1, -2, 3, 4], "completed"],
  [{ count: 1 }, [-1, -2, 3, 4], "failed"],
  [{ count: 0 }, [1, 2, 3, -4], "failed"],
  // Half of three is one.
  [{ percent: 50 }, [1, -2, 3], "completed"],
  [{ percent: 50 }, [-1, -2, 3], "failed"],
  [{ percent: 0 }, [1, 2], "completed"],
  [{ percent: 100 }, [-1, -2], "completed"],
] as const)("%j of %j is %s", async (tolerate, list, outcome) => {
  const { result } = await runEach([...list], { tolerate, onItemError: "continue" });
  expect(result).toMatchObject({ outcome });
});

test("items that share wait one after the other, and each goes on in its turn", async () => {
  const run = openFanOut(eachOf([1, 2, 3], { scope: "shared" }), { rules: askAlways });
  expect(await run.turn()).toMatchObject({ kind: "waiting", for: "person" });
  expect(await run.contents("approval.requested")).toHaveLength(1);
  expect(await drive(run)).toBe("completed");
  expect(endsOf(await run.events())).toEqual(["0 ok", "1 ok", "2 ok"]);
  expect(run.paid).toEqual([1, 2, 3]);
});

test("any fails when all have failed", async () => {
  const { result, ends, errored } = await runEach([-1, -2], { join: "any" });
  expect(result).toMatchObject({ outcome: "failed", reason: "CHILD_FAILED" });
  expect(ends).toEqual(["0 error", "1 error"]);
  expect(errored).toMatchObject({
    message: "2 of 2 items failed, and 1 had to succeed; the last was item 1: TOOL_FAILED",
  });
});

test("a quorum ends as soon as it cannot be reached any more", async () => {
  const { result, ends } = await runEach([-1, 2, -3, 4], { join: { quorum: 3 } });
  expect(result).toMatchObject({ outcome: "failed" });
  expect(ends).toEqual(["0 error", "1 ok", "2 error", "3 withdrawn"]);
});

test("any with halt fails with the first failure", async () => {
  const { ends } = await runEach([-1, 2], { join: "any", onItemError: "halt" });
  expect(ends).toEqual(["0 error", "1 withdrawn"]);
});

test.each([
  [51, { max: 50 }, "the list has 51 items, and the fan-out takes 50"],
  [257, { max: 256 }, "the list has 257 items, and the fan-out takes 256"],
])("a list of %i is refused before anything begins", async (count, fields, message) => {
  const { run, result, errored } = await runEach(
    Array.from({ length: count }, () => 1),
    fields,
  );
  expect(result).toMatchObject({ outcome: "failed" });
  expect(errored).toMatchObject({ code: "MAPPING_FAILED", message });
  expect(await run.types()).not.toContain("fanout.fixed");
});

test("what is no list is refused", async () => {
  const { errored } = await runEach("abc");
  expect(errored).toMatchObject({ code: "MAPPING_FAILED", message: "/flow needs a list" });
});

test("outputs that are too large together fail, and the item is named", async () => {
  const { result, errored } = await runEach(["much", "much", "much"]);
  expect(result).toMatchObject({ outcome: "failed" });
  expect(errored).toMatchObject({
    code: "OUTPUT_VALIDATION_FAILED",
    message: "the outputs up to that of item 2 are larger than an output may be",
  });
});

test("branches are run beside each other, and what is skipped gives null", async () => {
  const run = openFanOut({
    kind: "parallel",
    branches: [pay("literal:one"), { ...pay("literal:two"), when: "false" }],
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: ["one", null] });
});

test("outside a run it gives the same, and a loser is told to stop", async () => {
  let isCut = false;
  const { call } = openWorld({
    loops: [flowLoop(eachOf(["slow", "quick"], { join: "any" })), toolLoop("pay")],
    tools: {
      pay: async (input, { signal }) => {
        const { at } = input as { readonly at: string };
        if (at === "quick") return at;
        await new Promise<void>((resume) => {
          signal.addEventListener("abort", () => resume());
        });
        isCut = true;
        return at;
      },
    },
  });
  const { result } = await call("whole");
  expect(result).toMatchObject({ status: "ok", output: "quick" });
  expect(isCut).toBe(true);
});
