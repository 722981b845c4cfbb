import { expect, test } from "vitest";
import { COLUMNS_MAX, wrapComments } from "./wrap-comments.ts";

const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

function widthOf(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}

test("narrow comments and code stay as they are", () => {
  const text = `/** Short. */\na(); // ${words(30)}\n// Two\n// lines.\nb("${words(40)}");\n`;
  expect(wrapComments(text)).toBe(text);
});

test("a wide line comment becomes several, with its indentation", () => {
  const wrapped = wrapComments(`function run() {\n  // ${words(30)}.\n  stop();\n}\n`);
  expect(widthOf(wrapped)).toBeLessThanOrEqual(COLUMNS_MAX);
  expect(wrapped).toMatch(/^function run\(\) \{\n( {2}\/\/ word[^\n]*\n){2} {2}stop\(\);\n\}\n$/);
});

test("line comments that follow each other are refilled together", () => {
  const wrapped = wrapComments(`// ${words(21)}\n// end.\nrun();\n`);
  expect(wrapped).toBe(`// ${words(19)}\n// word word end.\nrun();\n`);
});

test("a wide comment on one line becomes a block", () => {
  const wrapped = wrapComments(`interface A {\n  /** ${words(25)}. */\n  b: 1;\n}\n`);
  expect(wrapped.split("\n").slice(1, 5)).toEqual([
    "  /**",
    `   * ${words(19)}`,
    `   * ${words(6)}.`,
    "   */",
  ]);
});

test("only the paragraph that is too wide changes, and items hang", () => {
  const wrapped = wrapComments(
    `/**\n * Title\n * over two lines.\n *\n * 1. ${words(25)}.\n * 2. Short.\n */\nrun();\n`,
  );
  expect(wrapped.split("\n")).toEqual([
    "/**",
    " * Title",
    " * over two lines.",
    " *",
    ` * 1. ${words(19)}`,
    ` *    ${words(6)}.`,
    " * 2. Short.",
    " */",
    "run();",
    "",
  ]);
});

test("a comment before a closing brace and one at the end of the file are wrapped", () => {
  const wrapped = wrapComments(
    `function run() {\n  stop();\n  // ${words(25)}\n}\n// ${words(25)}\n`,
  );
  expect(widthOf(wrapped)).toBeLessThanOrEqual(COLUMNS_MAX);
});

test("directives, code blocks and text that looks like a comment are left alone", () => {
  const texts = [
    `/**\n * Why.\n * @example run(${words(25)})\n */\nrun();\n`,
    `// @ts-expect-error ${words(25)}\nrun();\n`,
    `// biome-ignore lint: ${words(25)}\nrun();\n`,
    `/**\n * \`\`\`ts\n * run(); ${words(25)}\n * \`\`\`\n */\nrun();\n`,
    `const a = \`\n// ${words(30)}\n\`;\n`,
  ];
  for (const text of texts) expect(wrapComments(text)).toBe(text);
});

test("wrapping twice changes nothing", () => {
  const text = `/** 1. ${words(50)} */\n// ${words(50)}\nrun();\n`;
  const once = wrapComments(text);
  expect(wrapComments(once)).toBe(once);
});

test("a word that is too long stays whole", () => {
  const address = `https://example.com/${"x".repeat(120)}`;
  expect(wrapComments(`// See ${address} for more.\nrun();\n`)).toBe(
    `// See\n// ${address}\n// for more.\nrun();\n`,
  );
});
