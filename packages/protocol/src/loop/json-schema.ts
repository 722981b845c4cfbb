import type { JsonObject } from "../canonical-json.ts";

/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = JsonObject | boolean;
