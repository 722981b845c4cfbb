import { expect, test } from "vitest";
import { checkWords } from "./check-words.ts";

// Samples are put together here, so that this file does not hold what it looks for.
const sample = (...parts: string[]): string => parts.join("");

test.each([
  sample("see L", "-16"),
  sample("(C", "-L01)"),
  sample("as issue", " 12 says"),
  sample("issue", " #3"),
  sample("cd /ho", "me/someone"),
  sample("cat /wo", "rk/file"),
  sample("in shar", "ed/notes"),
  sample("https://regis", "try.example.com/x"),
  sample('"resolved": "http://n', 'pm.local:8080/"'),
])("%s is found", (text) => {
  expect(checkWords(new Map([["a.md", text]]))).toHaveLength(1);
});

test.each([
  "sha512-L16",
  "RFC-8785 and UTF-16 and sha512-C12",
  "the issue is that 3 calls wait",
  "const path = `src/home/x`;",
  "import.meta.url + '/x'",
  "https://www.npmjs.com/package/turnseal",
  "`/tmp` is cleaned",
])("%s is fine", (text) => {
  expect(checkWords(new Map([["a.md", text]]))).toEqual([]);
});
