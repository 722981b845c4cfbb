import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { ShapeError } from "./shape.ts";

/**
 * Puts what earlier answers held in the place of `{ "$ref": "step.field.0.field" }`: a vector
 * cannot know the ids that a program will give. `{ "$repeat": "x", "times": 3 }` stands for a long
 * text.
 */
export function fillReferences(
  params: JsonObject,
  answers: ReadonlyMap<string, JsonObject>,
): JsonObject {
  return fill(params, answers) as JsonObject;
}

function fill(value: JsonValue, answers: ReadonlyMap<string, JsonObject>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => fill(item, answers));
  if (!isPlainObject(value)) return value;
  const reference = value["$ref"];
  if (typeof reference === "string") return follow(reference, answers);
  const { $repeat: part, times } = value;
  if (typeof part === "string") return part.repeat(Number(times));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fill(item as JsonValue, answers)]),
  );
}

function follow(reference: string, answers: ReadonlyMap<string, JsonObject>): JsonValue {
  const [name = "", ...fields] = reference.split(".");
  let found: unknown = answers.get(name);
  for (const field of fields) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, field) : undefined;
  }
  if (found === undefined) throw new ShapeError(`the answer at ${reference}`, "there");
  return found as JsonValue;
}
