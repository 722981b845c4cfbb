import { type JsonValue, QUESTION_TOOL } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { toolLoop } from "../call/sample-world.test.data.ts";
import { QUESTION_ROLE_LENGTH_MAX, QUESTION_WITHIN_MS_MAX } from "../limits.ts";
import { checkLoop } from "./check-loop.ts";

function problemsOf(config: Record<string, JsonValue>, implementation = QUESTION_TOOL): string[] {
  const checked = checkLoop(toolLoop("ask", { tool: { implementation, config } }), "strict");
  const problems = checked.kind === "refused" ? checked.problems : [];
  return problems.map(({ rule, path }) => `${rule} ${path}`);
}

test.each<[string, Record<string, JsonValue>]>([
  ["nothing", {}],
  ["a person", { to: "person" }],
  ["an agent", { to: "agent" }],
  ["the longest role", { role: "r".repeat(QUESTION_ROLE_LENGTH_MAX) }],
  ["the shortest time", { withinMs: 1 }],
  ["the longest time", { withinMs: QUESTION_WITHIN_MS_MAX }],
])("a question that says %s is registered", (_, config) => {
  expect(problemsOf(config)).toEqual([]);
});

test.each<[string, Record<string, JsonValue>]>([
  ["withinMs", { withinMs: QUESTION_WITHIN_MS_MAX + 1 }],
  ["withinMs", { withinMs: 1e300 }],
  ["withinMs", { withinMs: 0 }],
  ["withinMs", { withinMs: -5 }],
  ["withinMs", { withinMs: 1.5 }],
  ["withinMs", { withinMs: "soon" }],
  ["role", { role: "r".repeat(QUESTION_ROLE_LENGTH_MAX + 1) }],
  ["role", { role: "fin\0ance" }],
  ["role", { role: "" }],
  ["role", { role: ["finance"] }],
  ["to", { to: "everybody" }],
])("a question with a wrong %s is refused: %j", (name, config) => {
  expect(problemsOf(config)).toEqual([`field-type /tool/config/${name}`]);
});

test("what another tool is configured with is its own concern", () => {
  expect(problemsOf({ withinMs: 1e300, role: "a\0b" }, "local.ask")).toEqual([]);
});

test.each(["id", "name"])("a document whose %s has NUL in it is refused", (field) => {
  const checked = checkLoop({ ...toolLoop("ask"), [field]: "a\0b" }, "strict");
  expect(checked).toMatchObject({ kind: "refused", problems: [{ path: `/${field}` }] });
});

test("a tool whose name has NUL in it is refused", () => {
  expect(problemsOf({}, "local.a\0b")).toEqual(["field-type /tool/implementation"]);
});
