import { expect, test } from "vitest";
import { PROBLEM_LENGTH_MAX, PROBLEMS_MAX } from "../limits.ts";
import { createValidation } from "./validation.ts";

test("a refinement sees only what the schema accepts", () => {
  const seen: unknown[] = [];
  const refinement = (value: unknown) => {
    seen.push(value);
    return [];
  };
  const validate = createValidation({ type: "number" }, () => [refinement]);
  expect(validate("a").problems).toEqual([": must be number"]);
  expect(validate(1).problems).toEqual([]);
  expect(seen).toEqual([1]);
});

test("what a refinement says is bounded: in number, and in length", () => {
  const say = (count: number) => () =>
    Array.from({ length: count }, (_, index) => ({
      path: ["a/b", `${index}`],
      words: "w".repeat(9_999),
    }));
  const { problems, words } = createValidation(true, () => [say(PROBLEMS_MAX + 1)])(0);
  expect(problems).toHaveLength(PROBLEMS_MAX);
  expect(problems[0]).toBe("/a~1b/0: is refused by a refinement");
  expect(words).toHaveLength(PROBLEMS_MAX);
  expect(words.every((line) => line.length === PROBLEM_LENGTH_MAX)).toBe(true);
  expect(createValidation(true, () => [say(PROBLEMS_MAX)])(0).words).toHaveLength(PROBLEMS_MAX);
});
