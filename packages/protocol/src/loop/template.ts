/**
 * Prompt templates (spec/templates.md).
 *
 * 1. `{{name}}` stands for the input's field of that name; nothing else in a template has a
 *    meaning. A dot is part of the name, not a step into an object.
 * 2. A value is put in once and never looked at again: braces inside it are text.
 * 3. Only own fields are read, so no name reaches a prototype.
 */
import type { JsonObject, JsonValue } from "../canonical-json.ts";

const placeholder = /\{\{[ \t]*([\p{L}_$][\p{L}\p{M}\p{N}_$.-]*)[ \t]*\}\}/gu;

/** The names that a template uses, each once, in order of first use. */
export function listVariables(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), (match) => match[1] ?? ""))];
}

/** Puts the input's values into the template. */
export function renderTemplate(template: string, input: JsonValue): string {
  return template.replace(placeholder, (_, name: string) => renderValue(readField(input, name)));
}

/**
 * The same within a length; undefined when the text would be longer. A short template can name a
 * long value often: what is too long is not built.
 */
export function renderWithin(
  template: string,
  input: JsonValue,
  lengthMax: number,
): string | undefined {
  let valuesLength = 0;
  const text = template.replace(placeholder, (_, name: string) => {
    if (valuesLength > lengthMax) return "";
    const value = renderValue(readField(input, name));
    valuesLength += value.length;
    return valuesLength > lengthMax ? "" : value;
  });
  return Math.max(valuesLength, text.length) > lengthMax ? undefined : text;
}

function readField(input: JsonValue, name: string): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return Object.hasOwn(input, name) ? (input as JsonObject)[name] : undefined;
}

function renderValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
