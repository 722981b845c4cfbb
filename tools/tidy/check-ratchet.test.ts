import { expect, test } from "vitest";
import { checkRatchet } from "./check-ratchet.ts";

const rule = { what: "lines", limit: 300, ceiling: 500 };

function problemsOf(lines: number, listed: Record<string, number>): string[] {
  return checkRatchet(rule, new Map([["a.ts", lines]]), listed);
}

test("a measure at the limit needs no entry, one past it does", () => {
  expect(problemsOf(300, {})).toEqual([]);
  expect(problemsOf(301, {})).toEqual(["a.ts: 301 lines, more than 300"]);
});

test("an entry allows exactly its figure", () => {
  expect(problemsOf(340, { "a.ts": 340 })).toEqual([]);
  expect(problemsOf(341, { "a.ts": 340 })).toEqual([
    "a.ts: 341 lines, it was 340 and may only shrink",
  ]);
  expect(problemsOf(339, { "a.ts": 340 })).toEqual(["a.ts: 339 lines, lower its entry from 340"]);
});

test("an entry that is not needed any more must go", () => {
  expect(problemsOf(300, { "a.ts": 340 })).toEqual(["a.ts: 300 lines, remove its entry"]);
  expect(problemsOf(1, { "b.ts": 340 })).toEqual(["b.ts: no such thing, remove its entry"]);
});

test("no entry helps past the ceiling", () => {
  expect(problemsOf(500, { "a.ts": 500 })).toEqual([]);
  expect(problemsOf(501, { "a.ts": 501 })).toEqual(["a.ts: 501 lines, never more than 500"]);
});

test("a name from the prototype is no entry", () => {
  expect(checkRatchet(rule, new Map([["constructor", 400]]), {})).toHaveLength(1);
});
