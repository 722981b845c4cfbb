import { canonicalize, type JsonValue } from "@turnseal/protocol";
import type { CaseResult, Difference } from "@turnseal/testing";
import { type Line, line, toned } from "../terminal/line.ts";

/** Characters of a value that are shown. */
const SHOWN_LENGTH = 400;
/** Differences of one case that are shown. */
const SHOWN_DIFFERENCES = 10;

/** A case in one line, and below it what is not as expected. */
export function renderCase({ name, file, differences }: CaseResult): Line[] {
  const isPassed = differences.length === 0;
  const mark = isPassed ? toned("good", "✓ ") : toned("bad", "✗ ");
  const more = differences.length - SHOWN_DIFFERENCES;
  return [
    line(mark, name, toned("faint", `  ${file}`)),
    ...renderDifferences(differences),
    ...(more > 0 ? [line(`    and ${more} more`)] : []),
  ];
}

export function renderDifferences(differences: readonly Difference[]): Line[] {
  return differences
    .slice(0, SHOWN_DIFFERENCES)
    .flatMap(({ path, expected, actual }) => [
      line(toned("strong", `    ${path === "" ? "the case" : path}`)),
      line("      expected  ", toned("good", show(expected))),
      line("      actual    ", toned("bad", show(actual))),
    ]);
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = canonicalize(value);
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
