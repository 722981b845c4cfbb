import { isPlainObject, type JsonSchema, type JsonValue } from "@turnseal/protocol";

/** How deep a sample goes into a schema. */
const SAMPLE_DEPTH_MAX = 16;
/** Values in one sample: a schema can ask for lists of lists of lists. */
const SAMPLE_VALUES_MAX = 1_000;
/** Characters that a text is filled up to. */
const SAMPLE_TEXT_LENGTH_MAX = 10_000;

type SchemaObject = Exclude<JsonSchema, boolean>;

/** How much may still be sampled. */
interface Budget {
  valuesLeft: number;
  depthLeft: number;
}

/**
 * A small value that a schema of everyday shape accepts. It is a convenience of the scripted
 * model, not a generator.
 */
export function sampleValue(schema: JsonSchema): JsonValue {
  return sample(schema, { valuesLeft: SAMPLE_VALUES_MAX, depthLeft: SAMPLE_DEPTH_MAX });
}

function sample(schema: JsonSchema, budget: Budget): JsonValue {
  budget.valuesLeft--;
  if (typeof schema === "boolean" || budget.valuesLeft < 0 || budget.depthLeft < 0) return null;
  if (schema["const"] !== undefined) return schema["const"];
  if (schema["default"] !== undefined) return schema["default"];
  const [choice] = listOf(schema["enum"]);
  if (choice !== undefined) return choice;
  budget.depthLeft--;
  const value = sampleStructure(schema, budget);
  budget.depthLeft++;
  return value;
}

function sampleStructure(schema: SchemaObject, budget: Budget): JsonValue {
  const [alternative] = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (isPlainObject(alternative)) return sample(alternative as JsonSchema, budget);
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, budget);
    case "array":
      return sampleArray(schema, budget);
    case "string":
      return "text".padEnd(Math.min(Number(schema["minLength"] ?? 0), SAMPLE_TEXT_LENGTH_MAX), "x");
    case "integer":
    case "number":
      return Number(schema["minimum"] ?? Number(schema["exclusiveMinimum"] ?? -1) + 1);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function sampleObject(schema: SchemaObject, budget: Budget): JsonValue {
  const properties = schema["properties"];
  if (!isPlainObject(properties)) return {};
  const required = new Set(listOf(schema["required"]));
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.has(name))
      .map(([name, property]) => [name, sample(property as JsonSchema, budget)]),
  );
}

function sampleArray(schema: SchemaObject, budget: Budget): JsonValue {
  const items = listOf(schema["prefixItems"]).map((item) => sample(item as JsonSchema, budget));
  const missing = Number(schema["minItems"] ?? 0) - items.length;
  const rest = (schema["items"] ?? true) as JsonSchema;
  for (let count = 0; count < missing && budget.valuesLeft > 0; count++) {
    items.push(sample(rest, budget));
  }
  return items;
}

function typeOf(schema: SchemaObject): unknown {
  const [first] = listOf(schema["type"]);
  if (first !== undefined) return first;
  if (schema["type"] !== undefined) return schema["type"];
  return schema["properties"] === undefined ? undefined : "object";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
