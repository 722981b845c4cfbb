import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { listVariables, renderTemplate, renderWithin } from "./template.ts";

const piece = fc.constantFrom("{{a}}", "{{ b }}", "{{", "}}", "{", "}", "a", " ", "{{none}}", "{%");
const template = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
const value = fc.oneof(
  fc.constantFrom("{{a}}", "{{b}}", "}}", "$&"),
  fc.jsonValue({ maxDepth: 2 }),
);
const input = fc.record({ a: value, b: value }, { requiredKeys: [] });

test("a text is rendered within its own length, and not within one less", () => {
  fc.assert(
    fc.property(template, input, (text, fields) => {
      const values = JSON.parse(JSON.stringify(fields)) as JsonValue;
      const rendered = renderTemplate(text, values);
      expect(renderWithin(text, values, rendered.length)).toBe(rendered);
      expect(renderWithin(text, values, rendered.length - 1)).toBeUndefined();
    }),
    { seed: 5, numRuns: 500 },
  );
});

test("a template without places is its own rendering", () => {
  fc.assert(
    fc.property(template, (text) => {
      fc.pre(listVariables(text).length === 0);
      expect(renderTemplate(text, { a: "x", b: "y" })).toBe(text);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test("a long value that is named often is not built beyond the limit", () => {
  const text = "{{a}}".repeat(10_000);
  const long = { a: "x".repeat(1_000_000) };
  // No text of the platform could hold it.
  expect(() => renderTemplate(text, long)).toThrow(RangeError);
  expect(renderWithin(text, long, 4_000_000)).toBeUndefined();
});

test("a template that is longer than its text counts as its text", () => {
  expect(renderWithin("{{a}}{{a}}", { a: "x" }, 2)).toBe("xx");
  expect(renderWithin("{{a}}{{a}}", { a: "x" }, 1)).toBeUndefined();
});

test("a template of open braces and blanks takes linear time", () => {
  const hostile = `${"{{ ".repeat(20_000)}${"{{a".repeat(20_000)}${" ".repeat(20_000)}`;
  const startedMs = performance.now();
  expect(renderTemplate(hostile, {})).toBe(hostile);
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});

test("rendering does not read what the input inherits", () => {
  const inherited = Object.create({ a: "inherited" }) as JsonValue;
  expect(renderTemplate("[{{a}}]", inherited)).toBe("[]");
});
