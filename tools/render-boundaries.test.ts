import { expect, test } from "vitest";
import { BOUNDARIES } from "./boundaries.ts";
import { END_MARK, renderDocument, START_MARK } from "./render-boundaries.ts";

const document = `# A\n\ntext\n\n${START_MARK}\nstale\n${END_MARK}\n\nmore\n`;

test("the table replaces what stands between the marks and nothing else", () => {
  const rendered = renderDocument(document, BOUNDARIES);
  expect(rendered.startsWith(`# A\n\ntext\n\n${START_MARK}\n`)).toBe(true);
  expect(rendered.endsWith(`\n${END_MARK}\n\nmore\n`)).toBe(true);
  expect(rendered).not.toContain("stale");
});

test("every package has a row", () => {
  const rendered = renderDocument(document, BOUNDARIES);
  for (const { folder } of BOUNDARIES) expect(rendered).toContain(`| \`${folder}\` |`);
});

test("rendering twice changes nothing", () => {
  const once = renderDocument(document, BOUNDARIES);
  expect(renderDocument(once, BOUNDARIES)).toBe(once);
});

test("a document without both marks in order is refused", () => {
  for (const text of ["", START_MARK, END_MARK, `${END_MARK}${START_MARK}`]) {
    expect(() => renderDocument(text, BOUNDARIES)).toThrow("needs the marks");
  }
});
