import { expect, test } from "vitest";
import { parsePlan } from "./parse-plan.ts";
import { PLAN_STEPS_MAX, PLAN_TITLE_LENGTH_MAX } from "./plan-document.ts";

const step = (id: string, more: object = {}) => ({ id, loop: "work", ...more });
const plan = (steps: readonly object[], more: object = {}) => ({ title: "a", steps, ...more });

function listProblems(document: unknown): string[] {
  const parsed = parsePlan(document);
  return parsed.kind === "parsed" ? [] : parsed.problems.map(({ rule, path }) => `${rule} ${path}`);
}

test("a plan is read as it is written", () => {
  const document = plan(
    [
      step("find", {
        description: "look",
        version: "1.0.0",
        input: { at: [1, { from: "x", to: 1 }] },
      }),
      step("tell", { input: { at: { from: "$.find.output[0].name" } }, critical: false }),
      step("last", { after: ["find", "tell"] }),
    ],
    { objective: "b", worst: { toolCalls: 3 } },
  );
  expect(parsePlan(document)).toEqual({ kind: "parsed", plan: document });
});

test.each<readonly [string, unknown, readonly string[]]>([
  ["no object", [], ["document-object "]],
  ["no title", { steps: [step("a")] }, ["field-missing "]],
  ["an empty title", { title: "", steps: [step("a")] }, ["field-empty /title"]],
  [
    "a title that is too long",
    { title: "a".repeat(PLAN_TITLE_LENGTH_MAX + 1), steps: [step("a")] },
    ["field-type /title"],
  ],
  ["no steps", { title: "a" }, ["field-missing "]],
  ["an empty list of steps", plan([]), ["field-empty /steps"]],
  ["a field that nobody knows", plan([step("a")], { stepz: 1 }), ["field-unknown /stepz"]],
  ["a step without a loop", plan([{ id: "a" }]), ["field-missing /steps/0"]],
  [
    "a step that asks for a plan",
    plan([step("a", { loop: "turnseal.plan" })]),
    ["name-reserved /steps/0/loop"],
  ],
  [
    "a status that is written",
    plan([step("a", { status: "approved" })]),
    ["field-unknown /steps/0/status"],
  ],
  [
    "a version that is none",
    plan([step("a", { version: "one" })]),
    ["version-semver /steps/0/version"],
  ],
  ["two steps of one name", plan([step("a"), step("a")]), ["binding-repeated /steps/1/id"]],
  [
    "a step that nobody knows",
    plan([step("a", { after: ["b"] })]),
    ["reference-unknown /steps/0/after/0"],
  ],
  [
    "a source that nobody knows",
    plan([step("a", { input: { x: { from: "$.b.output" } } })]),
    ["reference-unknown /steps/0/input/x"],
  ],
  [
    "a source that is no output",
    plan([step("a"), step("b", { input: { x: { from: "$.a.status" } } })]),
    ["mapping-path /steps/1/input/x"],
  ],
  [
    "a source that is no text",
    plan([step("a", { input: { x: { from: 1 } } })]),
    ["mapping-path /steps/0/input/x"],
  ],
  [
    "a step that waits for itself",
    plan([step("a", { after: ["a"] })]),
    ["reference-cycle /steps/0"],
  ],
  [
    "steps that wait for each other",
    plan([
      step("z"),
      step("a", { after: ["c"] }),
      step("b", { after: ["a"] }),
      step("c", { input: { x: { from: "$.b.output" } } }),
    ]),
    ["reference-cycle /steps/1"],
  ],
  [
    "too many steps",
    plan(Array.from({ length: PLAN_STEPS_MAX + 1 }, (_, index) => step(`s${index}`))),
    ["steps-limit /steps"],
  ],
])("%s is refused", (_, document, problems) => {
  expect(listProblems(document)).toEqual(problems);
});
