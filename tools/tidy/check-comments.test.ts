import { expect, test } from "vitest";
import { checkComments } from "./check-comments.ts";

const check = (text: string) => checkComments(new Map([["a.ts", text]]));

test.each([
  "// What was said is kept.",
  "/** Whoever takes the lease is the writer. */",
  "/**\n * Reads it.\n *\n * What is read\n * is kept.\n */",
  "// True,\n// whatever happens.",
])("%j is refused", (text) => {
  expect(check(text)).toHaveLength(1);
});

test.each([
  "// The message is kept.",
  "// What is safe to resume?",
  "// What a turn needs.",
  'const text = "What was said is kept.";',
  "/** The owner of the lease is the writer. `whoever` is a word. */",
])("%j passes", (text) => {
  expect(check(text)).toEqual([]);
});
