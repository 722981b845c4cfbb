import { createRegistry } from "@turnseal/kernel";
import type { RunBounds } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { findStartProblem } from "./find-start-problem.ts";

const order = jsonSchema<{ readonly order: string }>({
  type: "object",
  properties: { order: { type: "string" } },
  required: ["order"],
  additionalProperties: false,
});
const score = jsonSchema<unknown>({
  type: "object",
  properties: {
    score: { type: "number" },
    draft: { type: "object", properties: { text: { type: "string" } } },
    any: true,
  },
});
const pay = defineTool({ id: "pay", input: order, output: score, run: () => ({}) });
const agent = definePrompt({ id: "agent", input: order, output: score, template: "Pay {{order}}" });
const registry = createRegistry();
for (const { definition } of [pay, agent]) registry.register(definition);
const fits = { loop: agent.definition, input: { order: "A" }, grant: { tools: ["local.pay"] } };
const find = (change: object) => findStartProblem(registry, { ...fits, ...change });

test("a start that nothing speaks against has no problem", () => {
  expect(find({})).toBeUndefined();
  expect(find({ loop: { id: "none", version: "1.0.0" } })).toBeUndefined();
});

test("a slip in the grant is named", () => {
  expect(find({ grant: { tools: ["local.payy"] } })).toMatchObject({ code: "GRANT_REFUSED" });
});

test("an input that does not fit is named", () => {
  expect(find({ input: { odrer: "A" } })).toMatchObject({
    code: "INPUT_REFUSED",
    message: expect.stringContaining("the input does not fit agent: "),
  });
  expect(find({ input: undefined })).toBeUndefined();
});

test.each<[Partial<RunBounds>, string]>([
  [
    { goal: { path: "$.output.scroe", atLeast: 1 } },
    "`goal` reads $.output.scroe, and the output has there only: any, draft, score",
  ],
  [{ goal: { path: "$.outputt.score", atLeast: 1 } }, "a path here begins with $.output"],
  [{ goal: { path: "$.output.draft.txt", equals: "x" } }, "the output has there only: text"],
  [{ nextInput: { order: "$.outputt.draft" } }, "a path here begins with $.input, $.output"],
  [{ nextInput: { odrer: "$.output.draft.text" } }, "`nextInput` names the field odrer"],
  [
    { nextInput: { order: { cel: "outptu.draft.text" } } },
    "`nextInput.order` has an expression that cannot be used: `outptu` is not known; " +
      "did you mean output? (at character 1)",
  ],
  [{ nextInput: { order: { cel: "'a' +" } } }, "(at character 6)"],
  [
    { nextInput: { order: { cel: "input.order + output.draft.txt" } } },
    "`nextInput.order` reads $.output.draft.txt, and the output has there only: text",
  ],
])("a path that leads nowhere is named %#", (bounds, message) => {
  expect(find({ bounds })).toMatchObject({
    code: "BOUNDS_REFUSED",
    message: expect.stringContaining(message),
  });
});

test.each<Partial<RunBounds>>([
  { goal: { path: "$.output.score", atLeast: 1 } },
  { goal: { path: "$.output.any.thing", equals: 1 } },
  { nextInput: { order: "$.output.draft.text" } },
  { nextInput: { order: "$.signals.message.text" } },
  { nextInput: { order: "literal:B" } },
  { nextInput: { order: { cel: "input.order + signals.message.text + string(turn)" } } },
  { nextInput: { order: { cel: "output.any.map(item, item.anything)[0]" } } },
])("a path that may lead somewhere has no problem: %j", (bounds) => {
  expect(find({ bounds })).toBeUndefined();
});

test("a rule that misspells a tool is refused: it would neither deny the real one nor ask", () => {
  const policyFor = (...tools: string[]) => ({ rules: [{ id: "pays", decision: "ask", tools }] });
  expect(find({ policy: policyFor("local.pays") })).toEqual({
    code: "POLICY_REFUSED",
    message: "the rule pays names local.pays, and there is no such tool: did you mean local.pay?",
  });
  for (const tools of [["local.pay"], ["local.*"], ["local.pay", "local.pays"], ["crm.read"]])
    expect(find({ policy: policyFor(...tools) })).toBeUndefined();
});
