import { expect, test } from "vitest";
import { checkErrorList, checkNamedInTests } from "./check-coverage.ts";

const source = [
  `export const X_CODES = ["X_BROKEN"] as const;`,
  `export const X_RULES = ["json"] as const;`,
  `export const TRACE_EVENT_TYPES = ["call.started"] as const;`,
  "export const DEPTH_MAX = 32;",
].join("\n");

function treeWith(files: Readonly<Record<string, string>>): Map<string, string> {
  return new Map([["packages/a/src/x.ts", source], ...Object.entries(files)]);
}

const naming = `test("X_BROKEN at DEPTH_MAX", () => expect(rule).toBe("json"));`;

test("what tests or vectors name is covered", () => {
  const tree = treeWith({
    "packages/a/src/x.test.ts": naming,
    "spec/vectors/call.json": `{ "type": "call.started" }`,
  });
  expect(checkNamedInTests(tree)).toEqual([]);
});

test("what nothing names is reported", () => {
  expect(checkNamedInTests(treeWith({}))).toEqual([
    "no test names X_BROKEN",
    "no test names DEPTH_MAX",
    "no test names json",
    "no test names call.started",
  ]);
});

test("a longer word, a bare word, a document and a tidy test are no evidence", () => {
  const tree = treeWith({
    "packages/a/src/x.test.ts": `X_BROKEN_AGAIN; DEPTH_MAXIMUM; json; call.started;`,
    "docs/x.md": naming,
    "tools/tidy/x.test.ts": naming,
    "proofs/fuzz/x.test.ts": naming,
  });
  expect(checkNamedInTests(tree)).toHaveLength(4);
});

test("the list for operators holds every code and rule", () => {
  const list = "# Errors\n\n`X_BROKEN` means this. `json` means that.";
  expect(checkErrorList(treeWith({ "docs/errors.md": list }))).toEqual([]);
  expect(checkErrorList(treeWith({ "docs/errors.md": "# Errors\n\n`X_BROKEN`" }))).toEqual([
    "docs/errors.md does not list `json`",
  ]);
  expect(checkErrorList(treeWith({}))).toEqual(["docs/errors.md is missing"]);
});
