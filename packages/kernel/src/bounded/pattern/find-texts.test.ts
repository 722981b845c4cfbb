import { expect, test } from "vitest";
import { compilePattern } from "./compile-pattern.ts";
import { PATTERN_TEXTS_MAX } from "./find-texts.ts";

function textsOf(source: string): readonly string[] {
  const compiled = compilePattern(source);
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  return compiled.texts;
}

test.each([
  ["needle", ["needle"]],
  ["needle-\\d+", ["needle-"]],
  ["a\\.b[cd]efgh", ["efgh"]],
  ["\\bclass (Foo|Bar)\\b", ["class "]],
  ["x(Foo|Barbar)", ["Foo", "Barbar"]],
  ["foo(?=bar)baz", ["foobaz"]],
  ["(?!not)this", ["this"]],
  ["(?:one){2,}", ["one"]],
  ["(one)?", []],
  ["one|", []],
  ["one|[ab]", []],
  ["o*", []],
  ["[a]", []],
  ["^$", []],
  ["\\u{1f600}\\n", ["😀\n"]],
])("what %s matches has %j", (source, texts) => {
  expect(textsOf(source)).toEqual(texts);
});

test("PATTERN_TEXTS_MAX texts are known, and of more none", () => {
  const sourceOf = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`).join("|");
  expect(textsOf(sourceOf(PATTERN_TEXTS_MAX))).toHaveLength(PATTERN_TEXTS_MAX);
  expect(textsOf(sourceOf(PATTERN_TEXTS_MAX + 1))).toEqual([]);
});
