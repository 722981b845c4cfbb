import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";
import {
  ALTERNATIVES_MAX,
  CONTEXT_LINES_MAX,
  EDITS_MAX,
  LISTED_MAX,
  MATCH_LENGTH_MAX,
  MATCHES_MAX,
  PATTERN_LENGTH_MAX,
  READ_LENGTH_MAX,
  READ_LINES_MAX,
  SEARCH_BYTES_MAX,
} from "./limits.ts";
import { parsePathPattern } from "./path-pattern.ts";

let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.remove());
const put = (path: string, text: string) => writeFileSync(join(place.folder, path), text);

async function call(tool: string, input: object): Promise<Record<string, unknown>> {
  const terms = [grantTerms.files("site", { verbs: ["read", "write"] })];
  const { all } = fileTools("site");
  return openDesk({ tools: all, terms, folder: place.folder }).call(tool, input);
}

test("READ_LINES_MAX lines are one part, and one more is another", async () => {
  put("fits", "x\n".repeat(READ_LINES_MAX));
  put("long", "x\n".repeat(READ_LINES_MAX + 1));
  expect(await call("fs.read", { path: "fits" })).not.toHaveProperty("next");
  expect(await call("fs.read", { path: "long" })).toMatchObject({ next: READ_LINES_MAX + 1 });
});

test("READ_LENGTH_MAX characters are one part, and one more line is another", async () => {
  const line = `${"x".repeat(1023)}\n`;
  put("fits", line.repeat(READ_LENGTH_MAX / 1024));
  put("long", line.repeat(READ_LENGTH_MAX / 1024 + 1));
  expect(await call("fs.read", { path: "fits" })).not.toHaveProperty("next");
  expect(await call("fs.read", { path: "long" })).toMatchObject({ next: 257, lines: 257 });
});

test("LISTED_MAX entries are listed, and of more the number", async () => {
  mkdirSync(join(place.folder, "d"));
  for (let at = 0; at <= LISTED_MAX; at++) put(`d/${at}`, "");
  for (const tool of ["fs.list", "fs.glob"]) {
    const found = await call(tool, { folder: "d", ...(tool === "fs.glob" && { pattern: "**" }) });
    expect(found["total"]).toBe(LISTED_MAX + 1);
    expect((found["entries"] ?? found["paths"]) as unknown[]).toHaveLength(LISTED_MAX);
  }
});

test("MATCHES_MAX lines of MATCH_LENGTH_MAX characters are shown", async () => {
  put("fits", `${"x".repeat(MATCH_LENGTH_MAX)}\n`.repeat(MATCHES_MAX));
  expect(await call("fs.grep", { pattern: "x" })).toMatchObject({ isWhole: true });
  put("long", "x".repeat(MATCH_LENGTH_MAX + 1));
  const { matches, isWhole } = await call("fs.grep", { pattern: "x" });
  expect([(matches as unknown[]).length, isWhole]).toEqual([MATCHES_MAX, false]);
  const { matches: cut } = await call("fs.grep", { pattern: "x", files: "long" });
  expect(cut).toMatchObject([{ text: `${"x".repeat(MATCH_LENGTH_MAX)}…` }]);
});

test("a search of SEARCH_BYTES_MAX is whole, and of one more byte it is not", async () => {
  const large = 16 * 1024 * 1024;
  for (let at = 0; at * large < SEARCH_BYTES_MAX; at++) {
    put(`f${at}`, "x");
    truncateSync(join(place.folder, `f${at}`), large);
  }
  expect(await call("fs.grep", { pattern: "x" })).toMatchObject({ isWhole: true });
  put("one", "x");
  expect(await call("fs.grep", { pattern: "x" })).toMatchObject({ isWhole: false });
});

test.each([
  ["EDITS_MAX", EDITS_MAX, "TOOL_FAILED"],
  ["one more", EDITS_MAX + 1, "INPUT_VALIDATION_FAILED"],
])("%s edits: %i", async (_, count, code) => {
  put("a", "a");
  const edits = Array.from({ length: count }, () => ({ from: "b", to: "c" }));
  expect(await call("fs.edit", { path: "a", version: "x", edits })).toMatchObject({ code });
});

test.each([
  [CONTEXT_LINES_MAX, undefined],
  [CONTEXT_LINES_MAX + 1, "INPUT_VALIDATION_FAILED"],
])("%i lines around a match: %s", async (context, code) => {
  expect((await call("fs.grep", { pattern: "x", context }))["code"]).toBe(code);
});

test("a pattern has PATTERN_LENGTH_MAX characters and ALTERNATIVES_MAX meanings at most", () => {
  const kindOf = (pattern: string) => parsePathPattern(pattern).kind;
  expect(kindOf("x".repeat(PATTERN_LENGTH_MAX))).toBe("pattern");
  expect(kindOf("x".repeat(PATTERN_LENGTH_MAX + 1))).toBe("refused");
  expect(kindOf(`{${",".repeat(ALTERNATIVES_MAX - 1)}}`)).toBe("pattern");
  expect(kindOf(`{${",".repeat(ALTERNATIVES_MAX)}}`)).toBe("refused");
});

test.each([
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/**", "src/a/b", true],
  ["src/*", "src/a/b", false],
  ["./src/**/*.{ts,js}", "src/a.js", true],
  ["**/test/**/*.ts", "a/test/b/c.ts", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["{a,b{c,d}}.ts", "bd.ts", true],
  ["*a*a*a*a*a*a*a*a*b", "a".repeat(200), false],
])("%s matches %s: %s", (pattern, path, isMatch) => {
  const parsed = parsePathPattern(pattern);
  expect(parsed.kind === "pattern" && parsed.matches(path)).toBe(isMatch);
});

test.each(["[a]", "{a", "a}", "!a", "a\\b"])("%s is no pattern", (pattern) => {
  expect(parsePathPattern(pattern).kind).toBe("refused");
});
