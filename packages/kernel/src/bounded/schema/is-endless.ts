import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { createResolver, listSubschemas } from "./schema-walk.ts";

/**
 * True for a schema that comes back to itself at the same place of a value, by references or
 * through its alternatives: checking a value would never end.
 */
export function isEndless(root: JsonValue): boolean {
  const resolve = createResolver(root);
  const states = new Map<JsonObject, "open" | "closed">();
  const starts: JsonValue[] = [root];

  const returnsToItself = (schema: JsonValue | undefined): boolean => {
    if (!isPlainObject(schema)) return false;
    const object = schema as JsonObject;
    const state = states.get(object);
    if (state !== undefined) return state === "open";
    states.set(object, "open");
    const { $ref: reference } = object;
    const inPlace = [typeof reference === "string" ? resolve(reference) : undefined];
    for (const { schema: held, isInPlace } of listSubschemas(object)) {
      // A subschema of another place begins again, at a place of its own.
      if (isInPlace) inPlace.push(held);
      else starts.push(held);
    }
    const isReturning = inPlace.some(returnsToItself);
    states.set(object, "closed");
    return isReturning;
  };

  for (const start of starts) if (returnsToItself(start)) return true;
  return false;
}
