import { describePattern, describeRest } from "@turnseal/terminal/inbox";
import { expect, test } from "vitest";
import { readStandingOf } from "./read-standing.ts";

const mayStand = { uses: 5, withinMs: 3_600_000 };
const request = {
  id: "3f2a9b00-0000-4000-8000-000000000000",
  name: "local.write",
  request: { path: "src/a.ts", cents: 7, memo: "x" },
  mayStand,
};
const exact = { path: { equals: "src/a.ts" }, cents: { equals: 7 }, memo: { equals: "x" } };

test("without an option nothing stands", () => {
  expect(readStandingOf(request, {})).toEqual({});
});

test("--stand proposes the same arguments, and the limits of the rule", () => {
  expect(readStandingOf(request, { stand: true })).toEqual({ standing: mayStand, pattern: exact });
});

test("--uses and --for say less, and --where widens a field", () => {
  const where = ["path=src/**", "cents=..500", "memo=any"];
  expect(readStandingOf(request, { uses: 2, for: 60_000, where })).toEqual({
    standing: { uses: 2, withinMs: 60_000 },
    pattern: { path: { glob: "src/**" }, cents: { atMost: 500 }, memo: { any: true } },
  });
});

test.each([
  ["1..9", { atLeast: 1, atMost: 9 }],
  ["-3..", { atLeast: -3 }],
  ['{"equals":8}', { equals: 8 }],
])("--where cents=%s is read", (words, condition) => {
  const read = readStandingOf(request, { where: [`cents=${words}`] });
  expect(read.pattern).toEqual({ ...exact, cents: condition });
});

test.each([
  ["cents", "--where cents is no field=condition"],
  ["=7", "--where =7 is no field=condition"],
  ['cents={"like":1}', "--where has no condition in"],
  ["cents={", "--where has no condition in"],
  ["path=../**", "a condition of --where cannot be read"],
  ["path=src/{a,b}", "a condition of --where cannot be read"],
])("--where %s is refused", (text, words) => {
  expect(() => readStandingOf(request, { where: [text] })).toThrow(words);
});

test("where the rule lets none stand, the refusal names it", () => {
  const { mayStand: _, ...plain } = request;
  expect(() => readStandingOf(plain, { stand: true })).toThrow("it has no `mayStand`");
  expect(() => readStandingOf({ ...request, request: ["a"] }, { stand: true })).toThrow();
});

test("the words say the most that is allowed", () => {
  const pattern = {
    path: { glob: "src/**" },
    cents: { atMost: 500 },
    memo: { any: true },
  } as const;
  expect(describePattern(pattern)).toBe("path like src/**, cents at most 500, memo anything");
  expect(describePattern({})).toBe("without arguments");
  expect(describeRest({ usesLeft: 2, left: { "bank.cents": 900 } })).toBe(
    "2 more calls, bank.cents 900 in all",
  );
  expect(describeRest({ usesLeft: 1 })).toBe("1 more call");
});
