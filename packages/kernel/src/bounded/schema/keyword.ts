import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { Check } from "./evaluation.ts";

/** The parts of the surrounding schema that a keyword needs. */
export interface SchemaCompiler {
  compile(schema: JsonValue): Check;
  /** The check of the schema that a reference means, made when it is first applied. */
  follow(reference: string): Check;
}

/** Makes the check of one keyword, or undefined where the schema does not have it. */
export type KeywordCompiler = (schema: JsonObject, compiler: SchemaCompiler) => Check | undefined;
