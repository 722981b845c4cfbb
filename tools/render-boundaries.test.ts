import { expect, test } from "vitest";
import { BOUNDARIES } from "./boundaries.ts";
import { renderDocument } from "./render-boundaries.ts";
import { marksOf } from "./replace-between.ts";

const { start: START_MARK, end: END_MARK } = marksOf("boundaries");
const tree = marksOf("tree");
const trees = `${tree.start}\noutdated\n${tree.end}\n\n`;
const paths = ["packages/host/src/turn/run-next-turn.ts"];
const document = `${trees}# A\n\ntext\n\n${START_MARK}\nstale\n${END_MARK}\n\nmore\n`;

test("the table replaces what stands between the marks and nothing else", () => {
  const rendered = renderDocument(document, BOUNDARIES, paths);
  expect(rendered).toContain(`# A\n\ntext\n\n${START_MARK}\n`);
  expect(rendered).toMatch(
    /^<!-- tree:start -->\n\n```text\n[^`]* turn\n[^`]*```\n\n<!-- tree:end -->/,
  );
  expect(rendered).not.toContain("outdated");
  expect(rendered.endsWith(`\n${END_MARK}\n\nmore\n`)).toBe(true);
  expect(rendered).not.toContain("stale");
});

test("every package has a row", () => {
  const rendered = renderDocument(document, BOUNDARIES, paths);
  for (const { folder } of BOUNDARIES) expect(rendered).toContain(`| \`${folder}\` |`);
});

test("rendering twice changes nothing", () => {
  const once = renderDocument(document, BOUNDARIES, paths);
  expect(renderDocument(once, BOUNDARIES, paths)).toBe(once);
});

test("a document without both marks in order is refused", () => {
  const marks = `${START_MARK}${END_MARK}`;
  for (const text of ["", START_MARK, END_MARK, `${END_MARK}${START_MARK}`, trees, marks]) {
    expect(() => renderDocument(text, BOUNDARIES, paths)).toThrow("needs the marks");
  }
});
