import { expect, test } from "vitest";
import { checkHeadings, checkIndexed, checkLengths, checkLinks } from "./check-documents.ts";

const fence = "```";

test("a document starts with its only title; a comment in a code block is none", () => {
  const text = `# Title\n\n## Part\n\n${fence}sh\n# a comment\n${fence}\n`;
  expect(checkHeadings(new Map([["a.md", text]]))).toEqual([]);
});

test.each(["", "Text\n\n# Title", "## Part", "\n# Title", "# One\n\n# Two"])(
  "%j is refused",
  (text) => {
    expect(checkHeadings(new Map([["a.md", text]]))).toHaveLength(1);
  },
);

const tree = new Map([
  ["docs/b.md", "# Title\n\n## Why `x`, and how\n"],
  ["packages/a/src/x.ts", ""],
]);

function linkProblems(link: string): string[] {
  return checkLinks(new Map([...tree, ["docs/a.md", `# A\n\n[text](${link})\n\n## Here\n`]]));
}

test.each(["b.md", "./b.md", "b.md#why-x-and-how", "../packages/a", "../packages/a/src/x.ts"])(
  "the link %s resolves",
  (link) => {
    expect(linkProblems(link)).toEqual([]);
  },
);

test.each(["#here", "https://example.com/x", "mailto:a@example.com"])(
  "the link %s is fine",
  (link) => {
    expect(linkProblems(link)).toEqual([]);
  },
);

test.each(["c.md", "b.md#why", "#there", "../packages/b", "/docs/b.md"])(
  "the link %s is broken",
  (link) => {
    expect(linkProblems(link)).toEqual([`docs/a.md links to ${link}, which is not there`]);
  },
);

test.each([
  [900, []],
  [901, ["README.md has 901 words, and 900 are allowed"]],
])("a README of %i words", (count, problems) => {
  expect(checkLengths(new Map([["README.md", "word ".repeat(count)]]))).toEqual(problems);
});

test("a page of docs is linked from a README of docs, and not from another page alone", () => {
  const pages: readonly [string, string][] = [
    ["docs/README.md", "# D\n\n[a](guide/a.md#part), [x](x/README.md)\n"],
    ["docs/guide/a.md", "# A\n\n[b](b.md)\n"],
    ["docs/guide/b.md", "# B\n"],
    ["docs/x/README.md", "# X\n\n[c](c.md)\n"],
    ["docs/x/c.md", "# C\n"],
  ];
  expect(checkIndexed(new Map(pages))).toEqual(["docs/guide/b.md is in no README of docs"]);
});
