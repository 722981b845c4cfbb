import { expect, test } from "vitest";
import { callFlow, flaky, say, sayMapped, sequence } from "./sample-flow.test.data.ts";

const branch = {
  kind: "branch",
  cases: [
    { when: "input.n > 10", do: say("large") },
    { when: "input.n > 1", do: say("some") },
  ],
} as const;

test.each([
  [11, "/flow/cases/0", { text: "large" }],
  [2, "/flow/cases/1", { text: "some" }],
])("the first case whose condition holds is taken: %i", async (count, path, output) => {
  const called = await callFlow(branch, { input: { n: count } });
  expect(called).toMatchObject({ way: [path], output });
});

test("where none holds it is what there is else, or nothing", async () => {
  const other = await callFlow({ ...branch, else: say("few") }, { input: { n: 1 } });
  expect(other).toMatchObject({ way: ["/flow/else"], output: { text: "few" } });
  const none = await callFlow(branch, { input: { n: 1 } });
  expect(none).toMatchObject({ way: [], output: null });
});

test("a case after the one that is taken is not asked", async () => {
  const [first] = branch.cases;
  const broken = { when: "input.missing", do: say("broken") };
  const { way } = await callFlow({ kind: "branch", cases: [first, broken] }, { input: { n: 11 } });
  expect(way).toEqual(["/flow/cases/0"]);
});

test("a condition that gives no boolean fails the branch", async () => {
  const { error, way } = await callFlow({ ...branch, else: say("few") }, { input: { n: "11" } });
  expect(error?.code).toBe("MAPPING_FAILED");
  expect(way).toEqual([]);
});

test("the name of a branch stands for what the taken case gave", async () => {
  const { output } = await callFlow(
    sequence({ ...branch, name: "size" }, sayMapped({ size: "$.size" })),
    { input: { n: 2 } },
  );
  expect(output).toEqual({ size: { status: "ok", output: { text: "some" } } });
});

test("a case that is skipped gives nothing", async () => {
  const skipped = { when: "true", do: flaky(9, { onError: "skip" }) };
  const { output } = await callFlow({ kind: "branch", cases: [skipped] });
  expect(output).toBe(null);
});
