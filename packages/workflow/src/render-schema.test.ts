import { readFileSync } from "node:fs";
import { parseTomlText } from "@turnseal/documents";
import { isPlainObject } from "@turnseal/protocol";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { checkTables } from "./check-tables.ts";
import { renderWorkflowSchema } from "./render-schema.ts";

const validate = new Ajv2020({ strict: false }).compile(renderWorkflowSchema());

function judge(text: string): { readonly schema: boolean; readonly tables: boolean } {
  const parsed = parseTomlText(text);
  if (parsed.kind === "refused") throw new Error(parsed.problem.message);
  return {
    schema: validate(parsed.value) as boolean,
    tables: checkTables(parsed.value).length === 0,
  };
}

describe("editors are told what the runtime says", () => {
  test.each<[boolean, string]>([
    [true, '[workflow]\nname = "w"\n[[steps]]\naction = "a"\n'],
    [true, '[[steps]]\ntype = "scope"\n[[steps.scope.steps]]\naction = "a"\n'],
    [true, '[workflow]\nretry = { strategy = "fixed" }\n'],
    [false, '[workflow]\nnmae = "w"\n'],
    [false, '[workflow]\ncontext = "flatt"\n'],
    [false, '[[states]]\naction = "a"\n'],
    [false, "[workflow.limits]\nmax_turns = 0\n"],
    [false, '[[steps]]\naction = ""\n'],
    [false, "[[steps]]\n[[steps.scope.steps]]\naction = 1\n"],
  ])("%s: %j", (isValid, text) => {
    expect(judge(text)).toEqual({ schema: isValid, tables: isValid });
  });

  test("the schema that is published is the one that is rendered", () => {
    const file = new URL("../../../spec/schemas/workflow.schema.json", import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(renderWorkflowSchema());
  });

  test("every key has a description", () => {
    const { $defs } = renderWorkflowSchema();
    const properties = Object.values($defs as object).flatMap((table: { properties: object }) =>
      Object.values(table.properties),
    );
    expect(properties.length).toBeGreaterThan(60);
    for (const property of properties)
      expect(isPlainObject(property) && property["description"]).toMatch(/^\S.{5,}$/);
  });
});
