/**
 * The schema of a tool of the AI SDK, as our tools have it. Structural: a tool may come from any
 * copy of the AI SDK, and none is needed here.
 */
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { AuthoringError, type ToolSchema } from "@turnseal/protocol/authoring";

type Validate = ToolSchema<JsonObject, unknown>["~standard"]["validate"];

/** Reads `inputSchema`: Standard Schema, the AI SDK's own, or a function that gives one. */
export function readToolSchema(name: string, given: unknown): ToolSchema<JsonObject, unknown> {
  const schema: unknown = typeof given === "function" && !("~standard" in given) ? given() : given;
  if (isStandard(schema)) return schema;
  const { jsonSchema, validate } = Object(schema) as Record<string, unknown>;
  if (!isPlainObject(jsonSchema) || isThenable(jsonSchema))
    throw new AuthoringError("TOOL_UNUSABLE", `${name} has no schema that can be written down`);
  const { $schema: _, ...rendered } = jsonSchema;
  const render = (): Record<string, unknown> => rendered;
  return {
    "~standard": {
      version: 1,
      vendor: "ai-sdk",
      validate: typeof validate === "function" ? adapt(validate as Verdict) : pass,
      jsonSchema: { input: render, output: render },
    },
  };
}

function isStandard(schema: unknown): schema is ToolSchema<JsonObject, unknown> {
  const standard: unknown = Object(schema)["~standard"];
  const { validate, jsonSchema } = Object(standard) as Record<string, unknown>;
  return typeof validate === "function" && typeof Object(jsonSchema).input === "function";
}

/** Without a function of its own it is checked by what is written down, before it gets here. */
const pass: Validate = (value) => ({ value });

/** A validation result of the AI SDK. */
type Verdict = (value: unknown) => unknown;

function adapt(validate: Verdict): Validate {
  const read = (result: unknown): Awaited<ReturnType<Validate>> =>
    isPlainObject(result) && result["success"] === true
      ? { value: result["value"] }
      : { issues: [{ message: "the tool does not take this" }] };
  return (value) => {
    const result = validate(value);
    // A synchronous result stays so: an approval question must not be a promise.
    return isThenable(result) ? Promise.resolve(result).then(read) : read(result);
  };
}

function isThenable(value: unknown): boolean {
  return typeof Object(value).then === "function";
}
