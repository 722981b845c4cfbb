/**
 * The schema of a tool's input: any library that implements Standard Schema and can render itself
 * as JSON Schema. Structural, so that this package depends on none of them.
 *
 * A value is parsed once, right before the tool: defaults and transforms of the library apply then.
 * All earlier readers see what the model wrote.
 */

import type { SchemaAnswer } from "../loop/refinement.ts";
import type { StandardJsonSchema } from "./json-schema-source.ts";

export interface ToolSchema<Wire, Value = Wire> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Wire; readonly output: Value } | undefined;
    readonly validate: (value: unknown) => SchemaAnswer<Value> | Promise<SchemaAnswer<Value>>;
    readonly jsonSchema: SchemaRenderer;
  };
}

interface SchemaRenderer {
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** A schema that checks a value and passes on the original. */
export interface CheckingSchema<Wire> {
  readonly "~standard": Omit<ToolSchema<unknown, Wire>["~standard"], "validate"> & {
    readonly validate: (value: unknown) => Promise<SchemaAnswer<Wire>>;
  };
}

/** The same schema without parsing: the tool itself parses, and only once. */
export function checkOnly<Wire>(schema: ToolSchema<Wire, unknown>): CheckingSchema<Wire> {
  const { validate, jsonSchema } = schema["~standard"];
  return {
    "~standard": {
      version: 1,
      vendor: "turnseal",
      jsonSchema,
      validate: async (value) => {
        const answer = await validate(value);
        // A value that passes the check is valid input of the schema.
        return answer.issues === undefined ? { value: value as Wire } : { issues: answer.issues };
      },
    },
  };
}

/**
 * The same schema for a loop, which needs an answer at once. If a schema answers later, the tool
 * itself waits for it before it acts.
 */
export function checkAtOnce<Wire>(schema: ToolSchema<Wire, unknown>): StandardJsonSchema<Wire> {
  const { validate, jsonSchema } = schema["~standard"];
  return {
    "~standard": {
      jsonSchema,
      validate: (value) => {
        const answer = validate(value);
        if (!(answer instanceof Promise)) return answer;
        answer.catch(() => {});
        return { value };
      },
    },
  };
}
