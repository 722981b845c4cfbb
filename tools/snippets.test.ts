// Every piece of code in the documents: it compiles, it runs, it prints what the document says, and
// what it quotes is there.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  checkJson,
  checkMarks,
  checkQuotations,
  listDocumentFences,
  placeOf,
} from "./documents/check-fences.ts";
import { checkNamedFiles } from "./documents/check-named-files.ts";
import type { Fence } from "./documents/list-fences.ts";
import {
  compileSnippets,
  removeSnippets,
  runSnippet,
  writeSnippets,
} from "./documents/snippet-folder.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

const tree = readTree(repositoryRoot);
const fences = listDocumentFences(tree);
const runnable = fences.filter(isRunnable).map((fence) => ({ place: placeOf(fence), fence }));

beforeAll(() => writeSnippets(fences));
afterAll(removeSnippets);

test("the first code of the README is a program that runs", () => {
  const first = fences.find(
    ({ document, language }) => document === "README.md" && language === "ts",
  );
  expect(first?.marks).toEqual([]);
});

test("marks are known, quotations are true, JSON is JSON", () => {
  expect(checkMarks(fences)).toEqual([]);
  expect(checkQuotations(fences, tree)).toEqual([]);
  expect(checkJson(fences)).toEqual([]);
});

test("every file that a document names is there", () => {
  expect(checkNamedFiles(tree)).toEqual([]);
});

test("the code compiles", { timeout: 60_000 }, async () => {
  expect(await compileSnippets()).toBe("");
});

test.each(runnable)("$place runs and prints what follows it, or nothing", async ({ fence }) => {
  const printed = await runSnippet(fence);
  const next = fences[fences.indexOf(fence) + 1];
  const isOutput = next?.document === fence.document && next.language === "text";
  expect(printed).toBe(isOutput ? next.text.trim() : "");
});

function isRunnable({ language, marks }: Fence): boolean {
  if (language === "sh") return marks.includes("run");
  const isShown = marks.some((mark) => /^(no-run|needs-key|before|from=)/.test(mark));
  return language === "ts" && !isShown;
}
