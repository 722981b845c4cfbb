import type { JsonValue } from "../canonical-json.ts";

/** From a field's name to where its value comes from. */
export type Mapping = Readonly<Record<string, MappingSource>>;

/** A path such as `$.input.a`, a text such as `literal:a`, a typed constant, or an expression. */
export type MappingSource = string | { readonly const: JsonValue } | { readonly cel: string };
