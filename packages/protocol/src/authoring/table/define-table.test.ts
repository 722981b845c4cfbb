import { expect, test } from "vitest";
import { defineTool } from "../define-tool.ts";
import { jsonSchema } from "../json-schema-source.ts";
import { defineTable, PARTICIPANTS_MAX, TABLE_ROUNDS_MAX } from "./define-table.ts";
import { TABLE_MODES, type TableMode } from "./table-flows.ts";

const loop = defineTool({
  ...{ id: "one", version: "1.0.0", input: jsonSchema<object>(true), output: jsonSchema(true) },
  run: () => null,
});
const participant = { loop, grant: { tools: [], budget: {} } };
const make = (count: number, fields: { mode: TableMode; rounds?: number }) => () => {
  const names = Array.from({ length: count }, (_, at) => `p${at}`);
  const participants = Object.fromEntries(names.map((name) => [name, participant]));
  return defineTable({ id: "table", version: "1.0.0", ...fields, participants });
};
const unfit = expect.objectContaining({ code: "TABLE_UNFIT" });

test.each(TABLE_MODES.filter((mode) => mode !== "pair"))("%s has its limits", (mode) => {
  expect(make(2, { mode })).not.toThrow();
  expect(make(PARTICIPANTS_MAX, { mode, rounds: TABLE_ROUNDS_MAX })).not.toThrow();
  expect(make(1, { mode })).toThrow(unfit);
  expect(make(PARTICIPANTS_MAX + 1, { mode })).toThrow(unfit);
  expect(make(2, { mode, rounds: TABLE_ROUNDS_MAX + 1 })).toThrow(unfit);
  expect(make(2, { mode, rounds: 0 })).toThrow(unfit);
  expect(make(2, { mode, rounds: 1.5 })).toThrow(unfit);
});

test("a mode is one of five", () => {
  expect(make(2, { mode: "robin" as TableMode })).toThrow(unfit);
});

test("a pair has two", () => {
  expect(make(2, { mode: "pair" })).not.toThrow();
  expect(make(3, { mode: "pair" })).toThrow(unfit);
});

test("a table is a composite that hands to each participant under its part of the grant", () => {
  const { definition, uses = [] } = make(2, { mode: "pair", rounds: 3 })();
  expect(definition).toMatchObject({
    ...{ id: "table", kind: "composite" },
    composite: { flow: { kind: "repeat", max: 3, onMax: "continue" } },
  });
  expect(uses.map(({ definition: { id, tool } }) => [id, tool?.config])).toEqual(
    ["table-p0", "table-p1"].map((id) => [
      id,
      {
        ...{ loop: "one", version: "1.0.0", bounds: { turnsMax: 1 } },
        grant: { tools: [], budget: {} },
      },
    ]),
  );
});
