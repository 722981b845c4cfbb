/**
 * What authoring accepts as a schema: any library that implements Standard Schema with JSON Schema
 * output (zod, arktype), or a JSON Schema written by hand. Structural, so that this package depends
 * on none of them.
 *
 * A schema describes the wire. Values are validated, never transformed: what a schema library would
 * make of them by defaults and transforms is not used, and the types are those of its input side.
 */
import type { JsonObject } from "../canonical-json.ts";
import type { JsonSchema } from "../loop/json-schema.ts";
import { createRefinement, type Refinements, type ValidateBySchema } from "../loop/refinement.ts";

/** A Standard Schema that can render itself as JSON Schema. */
export interface StandardJsonSchema<Wire> {
  readonly "~standard": {
    readonly types?: { readonly input: Wire; readonly output: unknown } | undefined;
    readonly validate: ValidateBySchema;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

declare const wire: unique symbol;

/** A JSON Schema written by hand, with the type that it describes. */
export interface TypedJsonSchema<Wire> {
  readonly schema: JsonSchema;
  readonly [wire]?: Wire;
}

export type SchemaSource<Wire> = StandardJsonSchema<Wire> | TypedJsonSchema<Wire>;

/** Gives a hand-written JSON Schema the type that it describes. */
export function jsonSchema<Wire>(schema: JsonSchema): TypedJsonSchema<Wire> {
  return { schema };
}

/** Renders a schema as the document carries it. */
export function toJsonSchema(source: SchemaSource<unknown>): JsonSchema {
  if (!("~standard" in source)) return source.schema;
  const { $schema: _, ...schema } = source["~standard"].jsonSchema.input({
    target: "draft-2020-12",
  });
  // Some libraries hang symbols or getters on what they emit: the document is what JSON keeps of
  // it.
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** What the schemas of a loop check beyond what the document carries of them. */
export function refinementsOf({
  input,
  output,
}: {
  readonly input: SchemaSource<unknown>;
  readonly output: SchemaSource<unknown>;
}): { readonly refinements?: Refinements } {
  const refinements = {
    ...("~standard" in input ? { input: createRefinement(input["~standard"].validate) } : {}),
    ...("~standard" in output ? { output: createRefinement(output["~standard"].validate) } : {}),
  };
  return Object.keys(refinements).length === 0 ? {} : { refinements };
}
