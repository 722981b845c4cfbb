/** Results of cases as JUnit XML, which continuous integration reads. */
import { canonicalize } from "@turnseal/protocol";
import type { CaseResult } from "./run-case.ts";

/** Renders one suite with a test for each case. */
export function renderJunit(results: readonly CaseResult[]): string {
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failed}">`,
    `  <testsuite name="turnseal" tests="${results.length}" failures="${failed}">`,
    ...results.flatMap(renderTest),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function renderTest({ name, file, differences }: CaseResult): string[] {
  const test = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(file)}"`;
  if (differences.length === 0) return [`${test}/>`];
  const words = differences.map(({ path, expected, actual }) => {
    const [wanted, found] = [expected, actual].map((value) =>
      value === undefined ? "nothing" : canonicalize(value),
    );
    return `${path === "" ? "the case" : path}: expected ${wanted}, actual ${found}`;
  });
  const message = escapeXml(words[0] ?? "");
  const all = escapeXml(words.join("\n"));
  return [`${test}>`, `      <failure message="${message}">${all}</failure>`, "    </testcase>"];
}

/** No name and no value can end its place; characters that XML does not have are left out. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
