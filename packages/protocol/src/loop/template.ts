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

function readField(input: JsonValue, name: string): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return Object.hasOwn(input, name) ? (input as JsonObject)[name] : undefined;
}

function renderValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * The length that `renderTemplate` would give, without building the text: a short template can name
 * a long value often.
 */
export function measureTemplate(template: string, input: JsonValue): number {
  const lengths = new Map<string, number>();
  let length = template.length;
  for (const match of template.matchAll(placeholder)) {
    const name = match[1] ?? "";
    const known = lengths.get(name) ?? renderValue(readField(input, name)).length;
    lengths.set(name, known);
    length += known - match[0].length;
  }
  return length;
}
