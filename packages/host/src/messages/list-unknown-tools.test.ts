import { createRegistry } from "@turnseal/kernel";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { listUnknownTools } from "./list-unknown-tools.ts";

const any = jsonSchema<unknown>(true);
const registry = createRegistry();
registry.register(defineTool({ id: "pay", input: any, output: any, run: () => ({}) }).definition);

test.each(["local.payy", "loca.pay", "local.pya"])("a grant that names %s is a slip", (name) => {
  const message = `the grant names ${name}, and there is no such tool: did you mean local.pay?`;
  expect(listUnknownTools(registry, { tools: [name] })).toEqual([message]);
});

test("what is there, or is nothing like it, is none", () => {
  const tools = ["local.pay", "crm.read-customer", "turnseal.question"];
  expect(listUnknownTools(registry, { tools })).toEqual([]);
});

test("a name near to one that the grant has as well is no slip, and one near to another is", () => {
  expect(listUnknownTools(registry, { tools: ["local.pay", "local.say"] })).toEqual([]);
  const two = createRegistry();
  for (const id of ["pay", "get"])
    two.register(defineTool({ id, input: any, output: any, run: () => ({}) }).definition);
  expect(listUnknownTools(two, { tools: ["local.pay", "local.gett"] })).toEqual([
    "the grant names local.gett, and there is no such tool: did you mean local.get?",
  ]);
});
