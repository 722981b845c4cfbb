// The public names: each is in the reference, and an example or a guide uses it.
import { expect, test } from "vitest";
import { checkPublicNames } from "./reference/check-names.ts";
import { renderReference } from "./reference/render-reference.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

const NAMES_MAX = 170;

const tree = readTree(repositoryRoot);
const pages = renderReference();
const entries = pages.flatMap((page) => page.entries);

test("the reference is what the declarations say: else run `npm run fix`", () => {
  for (const { path, text } of pages) expect(tree.get(path)).toBe(text);
});

test("every public name is used by an example or a guide", () => {
  expect(checkPublicNames(entries, tree)).toEqual([]);
});

test("a name that nothing uses is found", () => {
  const names = [{ name: "neverUsedAnywhere", comment: "", text: "" }];
  expect(checkPublicNames([{ specifier: "turnseal", names }], tree)).toEqual([
    "turnseal exports neverUsedAnywhere, which no example and no guide uses",
  ]);
});

test("the public names stay few", () => {
  const count = entries.reduce((sum, { names }) => sum + names.length, 0);
  expect(count).toBeLessThanOrEqual(NAMES_MAX);
});
