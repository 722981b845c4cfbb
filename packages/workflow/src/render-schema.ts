/** The JSON Schema of workflow files, for editors, from the tables that they are checked by. */
import type { JsonObject } from "@turnseal/protocol";
import { type Shape, TABLE_NAMES, type TableName } from "./shape.ts";
import { TABLES } from "./tables.ts";

/** Draft 2020-12, with each table under its name. */
export function renderWorkflowSchema(): JsonObject {
  const tables = TABLE_NAMES.filter((name) => name !== "document");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:turnseal:spec:0.1:workflow",
    title: "A workflow file (spec/workflow.md)",
    ...renderTable("document"),
    $defs: Object.fromEntries(tables.map((name) => [name, renderTable(name)])),
  };
}

function renderTable(name: TableName): JsonObject {
  const keys = Object.entries(TABLES[name]);
  const required = keys.filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  return {
    type: "object",
    properties: Object.fromEntries(
      keys.map(([key, { shape, says }]) => [key, { description: says, ...renderShape(shape) }]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function renderShape(shape: Shape): JsonObject {
  switch (shape.kind) {
    case "text":
      return { type: "string", minLength: 1 };
    case "flag":
      return { type: "boolean" };
    case "value":
      return {};
    case "count":
      return { type: "integer", minimum: shape.min, maximum: shape.max };
    case "seconds":
      return { type: "number", minimum: 0, maximum: shape.max };
    case "choice":
      return { enum: [...shape.of] };
    case "list":
      return { type: "array", items: renderShape(shape.of) };
    case "map":
      return { type: "object", additionalProperties: renderShape(shape.of) };
    case "table":
      return { $ref: `#/$defs/${shape.name}` };
    case "either":
      return { anyOf: shape.of.map(renderShape) };
  }
}
