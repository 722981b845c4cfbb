import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { listVariables, measureTemplate, renderTemplate } from "./template.ts";

const piece = fc.constantFrom("{{a}}", "{{ b }}", "{{", "}}", "{", "}", "a", " ", "{{none}}", "{%");
const template = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
const value = fc.oneof(
  fc.constantFrom("{{a}}", "{{b}}", "}}", "$&"),
  fc.jsonValue({ maxDepth: 2 }),
);
const input = fc.record({ a: value, b: value }, { requiredKeys: [] });

test("the measured length is the length of the rendered text", () => {
  fc.assert(
    fc.property(template, input, (text, fields) => {
      const values = JSON.parse(JSON.stringify(fields)) as JsonValue;
      expect(measureTemplate(text, values)).toBe(renderTemplate(text, values).length);
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

test("a long value that is named often is measured without being built", () => {
  const text = "{{a}}".repeat(10_000);
  expect(measureTemplate(text, { a: "x".repeat(1_000_000) })).toBe(10_000_000_000);
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
