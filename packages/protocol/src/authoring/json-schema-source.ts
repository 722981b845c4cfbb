/**
 * The schemas that authoring accepts: any library that implements Standard Schema with JSON Schema
 * output (zod, arktype), or a JSON Schema written by hand. Structural, so that this package depends
 * on none of them.
 *
 * A schema describes the wire. Values are validated, never transformed: defaults and transforms of
 * a schema library are not used, and the types are those of its input side.
 */
import type { JsonObject } from "../canonical-json.ts";
import type { JsonSchema } from "../loop/json-schema.ts";
import { createRefinement, type Refinements, type ValidateBySchema } from "../loop/refinement.ts";
import { AuthoringError } from "./authoring-error.ts";

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

/** Renders a schema for the document; `place` names its owner. */
export function toJsonSchema(source: SchemaSource<unknown>, place: string): JsonSchema {
  if (!("~standard" in source)) return source.schema;
  const { $schema: _, ...schema } = render(source, place);
  // Some libraries hang symbols or getters on what they emit: the document is what JSON keeps of
  // it.
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function render(
  { "~standard": { jsonSchema: renderer } }: StandardJsonSchema<unknown>,
  place: string,
): Record<string, unknown> {
  try {
    return renderer.input({ target: "draft-2020-12" });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : "";
    const mend = mends.find(([about]) => about.test(said))?.[1] ?? MEND;
    throw new AuthoringError(
      "SCHEMA_UNFIT",
      `${place} has a type that JSON has not: ${mend}`,
      cause,
    );
  }
}

const MEND = "use texts, numbers, booleans, lists and objects";
/** By what libraries name in their own errors. */
const mends: readonly (readonly [RegExp, string])[] = [
  [/\bdate\b/i, "for a date use `z.iso.datetime()`, a text, and make a Date of it in `run`"],
  [/\bbigint\b/i, "for a large number use `z.string()`, and make a BigInt of it in `run`"],
  [/\bmap\b/i, "for a Map use `z.record(z.string(), ...)`"],
  [/\bset\b/i, "for a Set use `z.array(...)`"],
  [/\bundefined\b/i, "for a value that may be absent use `.optional()`"],
];

/** The checks of a loop's schemas beyond the JSON Schema in its document. */
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
