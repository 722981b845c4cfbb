/**
 * An action that a person declines in an item is a failure of the item, if the rule says `tell`.
 */
import type { FlowNode, Policy } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { decide, pendingIn } from "../../../gate/asked-people.test.data.ts";
import { readPolicy } from "../../../policy/compile-policy.ts";
import { eachOf, endsOf, expectSound, openFanOut, pay } from "./sample-fan-out.test.data.ts";

const rules = (onReject: "stop" | "tell") => {
  const ask: Policy["rules"][number] = { id: "ask", decision: "ask", role: "finance", onReject };
  return { pinned: readPolicy({ name: "test", rules: [ask] }) };
};

/** Rejects the first request and approves the others, each in an attempt of its own. */
async function rejectFirst(flow: FlowNode, onReject: "stop" | "tell" = "tell") {
  const run = openFanOut(flow, { rules: rules(onReject) });
  await run.turn();
  const [first] = pendingIn(await run.events());
  if (first === undefined) throw new Error("nothing is asked");
  let result = await run.turn({ said: [decide(first, { content: { choice: "reject" } })] });
  for (let attempts = 0; result.kind !== "closed" && attempts < 9; attempts++) {
    const [next] = pendingIn(await run.events());
    if (next === undefined) break;
    result = await run.turn({ said: [decide(next)] });
  }
  await expectSound(run);
  return { run, result };
}

const declined = { status: "error", error: { code: "POLICY_DENIED" } };

describe("with tell", () => {
  test.each<[string, Partial<Parameters<typeof eachOf>[1]>]>([
    ["continue", { onItemError: "continue" }],
    ["tolerate", { tolerate: { count: 1 } }],
  ])("%s bears it, and the others go on", async (_, fields) => {
    const { run, result } = await rejectFirst(eachOf(["a", "b", "c"], fields));
    expect(result).toMatchObject({ outcome: "completed" });
    expect(run.paid).toEqual(["b", "c"]);
    expect(endsOf(await run.events())).toEqual(["0 error", "1 ok", "2 ok"]);
    expect((await run.contents("item.closed"))[0]).toMatchObject({ denial: "approval-declined" });
    expect(result).toMatchObject({ output: [declined, { output: "b" }, { output: "c" }] });
  });

  test.each<[string, FlowNode]>([
    ["skip", { ...pay(), onError: "skip" }],
    [
      "otherwise",
      { ...pay(), otherwise: { kind: "branch", cases: [{ when: "false", do: pay() }] } },
    ],
  ])("a step bears it: %s", async (_, body) => {
    const { run, result } = await rejectFirst(eachOf(["a", "b"], { body }));
    expect(result).toMatchObject({ outcome: "completed", output: [null, "b"] });
    expect(run.paid).toEqual(["b"]);
  });

  test("any goes on with who is left", async () => {
    const { result } = await rejectFirst(eachOf(["a", "b"], { join: "any" }));
    expect(result).toMatchObject({ outcome: "completed", output: "b" });
  });

  test("it is never tried again", async () => {
    const body: FlowNode = { ...pay(), retry: { strategy: "immediate" } };
    const { run } = await rejectFirst(eachOf(["a"], { body, onItemError: "continue" }));
    expect(await run.types()).not.toContain("step.retried");
  });

  test("where nothing bears it the turn is denied", async () => {
    const { run, result } = await rejectFirst(eachOf(["a", "b"]));
    expect(result).toMatchObject({ kind: "closed", outcome: "failed" });
    expect(run.paid).toEqual([]);
  });
});

test("with stop no flow goes on after it", async () => {
  const flow = eachOf(["a", "b"], { onItemError: "continue", body: { ...pay(), onError: "skip" } });
  const { run, result } = await rejectFirst(flow, "stop");
  expect(result).toMatchObject({ outcome: "rejected" });
  expect(run.paid).toEqual([]);
});
