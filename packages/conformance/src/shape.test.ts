import { describe, expect, test } from "vitest";
import {
  parseCount,
  parseExactFields,
  parseFields,
  parseList,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
} from "./shape.ts";

const invalid = (message: string) => expect.objectContaining({ code: "SHAPE_INVALID", message });

describe("readers", () => {
  test("say where a value is wrong", () => {
    const parse = parseFields({ names: parseList(parseText) }, {});
    expect(parse({ names: ["a"] }, "answer")).toEqual({ names: ["a"] });
    expect(() => parse({ names: ["a", 1] }, "answer")).toThrow(
      invalid("answer.names[1] must be a string"),
    );
    expect(() => parse({}, "answer")).toThrow(invalid("answer.names must be a list"));
    expect(() => parse([], "answer")).toThrow(invalid("answer must be an object"));
  });

  test("of fields pass over what they do not know, of exact fields refuse it", () => {
    const given = { a: "x", b: "y" };
    expect(parseFields({ a: parseText }, {})(given, "it")).toEqual({ a: "x" });
    expect(() => parseExactFields({ a: parseText }, {})(given, "it")).toThrow(
      invalid("it.b must be left out: it is not a known field"),
    );
  });

  test("leave out an optional field that is not there", () => {
    const parse = parseExactFields({}, { a: parseText });
    expect(parse({}, "it")).toEqual({});
    expect(() => parse({ a: null }, "it")).toThrow(invalid("it.a must be a string"));
  });

  test("read own fields only", () => {
    expect(() => parseFields({ constructor: parseText }, {})({}, "it")).toThrow(
      invalid("it.constructor must be a string"),
    );
  });

  test("of words, counts, flags and tables refuse everything else", () => {
    expect(parseWord("a", "b")("b", "it")).toBe("b");
    expect(() => parseWord("a", "b")("c", "it")).toThrow(invalid("it must be one of a, b"));
    expect(parseCount(0, "it")).toBe(0);
    for (const value of [-1, 1.5, "1", 2 ** 53]) expect(() => parseCount(value, "it")).toThrow();
    expect(() => parseTrue(false, "it")).toThrow(invalid("it must be true, or left out"));
    expect(parseTable(parseText)({ a: "x" }, "it")).toEqual({ a: "x" });
    expect(() => parseTable(parseText)({ a: 1 }, "it")).toThrow(invalid("it.a must be a string"));
  });
});
