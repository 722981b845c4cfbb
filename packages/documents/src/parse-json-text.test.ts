import { JSON_DEPTH_MAX } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { parseJsonText } from "./parse-json-text.ts";

function refusalOf(text: string): { message: string; at: string } {
  const parsed = parseJsonText(text);
  if (parsed.kind === "parsed") throw new Error(`${text} was accepted`);
  expect(parsed.problem.rule).toBe("json");
  expect(parsed.problem.mend).not.toBe("");
  return {
    message: parsed.problem.message,
    at: `${parsed.position.line}:${parsed.position.column}`,
  };
}

function locate(text: string, pointer: string): string {
  const parsed = parseJsonText(text);
  if (parsed.kind === "refused") throw new Error(parsed.problem.message);
  const { line, column } = parsed.locate(pointer);
  return `${line}:${column}`;
}

test.each(["{}", "[]", "1", '"a"', "null", '{"a": [1, {"b": "\\u0041"}]}', " \r\n{}\t"])(
  "reads %j as JSON.parse does",
  (text) => {
    expect(parseJsonText(text)).toMatchObject({ kind: "parsed", value: JSON.parse(text) });
  },
);

test.each([
  ["{\n  // why\n}", "JSON has no comments", "2:3"],
  ["{} /* end */", "JSON has no comments", "1:4"],
  ['{"a": 1,}', "a key is missing", "1:9"],
  ["[1,]", "a value is missing", "1:4"],
  ['{"a" 1}', "a colon is missing", "1:6"],
  ["[1 2]", "a comma is missing", "1:4"],
  ['{"a": 1', "an object is not closed", "1:8"],
  ["[1", "a list is not closed", "1:3"],
  ["{} {}", "there is text after the document", "1:4"],
  ['["a', "a string is not closed", "1:2"],
  ['["a\u0001"]', "a control character in a string", "1:2"],
  ['["\\x"]', "an unknown escape", "1:2"],
  ['["\\u00"]', "not a unicode escape", "1:2"],
  ["[yes]", "unexpected token", "1:2"],
  ["", "a value is missing", "1:1"],
])("refuses %j: %s", (text, message, at) => {
  expect(refusalOf(text)).toEqual({ message, at });
});

test.each(["01", "+1", ".5", "1.", "NaN", "'a'", "\ufeff{}", "\u00a0{}"])(
  "refuses %j, which JSON.parse refuses",
  (text) => {
    expect(() => JSON.parse(text)).toThrow();
    refusalOf(text);
  },
);

test("refuses a key that stands twice, at its second place", () => {
  expect(refusalOf('{\n  "a": { "b": 1,\n    "b": 2 }\n}')).toEqual({
    message: 'the key "b" appears twice in the same object',
    at: "3:5",
  });
});

test("sees that two keys are equal behind their escapes", () => {
  expect(refusalOf('{"a": 1, "\\u0061": 2}').at).toBe("1:10");
});

test("keeps __proto__ as a field of its own", () => {
  const parsed = parseJsonText('{"__proto__": {"polluted": true}}');
  if (parsed.kind === "refused") throw new Error(parsed.problem.message);
  expect(Object.hasOwn(Object(parsed.value), "__proto__")).toBe(true);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("reads a text that nests JSON_DEPTH_MAX deep, and refuses one level more", () => {
  const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  expect(parseJsonText(nest(JSON_DEPTH_MAX)).kind).toBe("parsed");
  expect(refusalOf(nest(JSON_DEPTH_MAX + 1))).toEqual({
    message: `nests deeper than ${JSON_DEPTH_MAX}`,
    at: `1:${JSON_DEPTH_MAX + 1}`,
  });
});

test("refuses a million brackets without recursion", () => {
  expect(refusalOf("[".repeat(1_000_000)).message).toMatch(/deeper/);
});

test("does not count brackets inside strings", () => {
  expect(parseJsonText(JSON.stringify(`\\"${"[".repeat(1_000)}`)).kind).toBe("parsed");
});

const document = '{\n  "steps": [\n    { "loopId": "a" },\n    { "a/b": 1, "c~d": 2 }\n  ]\n}';

test.each([
  ["", "1:1"],
  ["/steps", "2:3"],
  ["/steps/0", "3:5"],
  ["/steps/0/loopId", "3:7"],
  ["/steps/1/a~1b", "4:7"],
  ["/steps/1/c~0d", "4:17"],
  ["/steps/0/missing", "3:5"],
  ["/steps/7/loopId", "2:3"],
  ["/missing/0", "1:1"],
  ["/steps/length", "2:3"],
])("finds %s at %s", (pointer, at) => {
  expect(locate(document, pointer)).toBe(at);
});
