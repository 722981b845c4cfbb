import { canonicalize, type JsonValue } from "@turnseal/protocol";
import type { CaseResult, Difference } from "@turnseal/testing";
import { compareTexts } from "@turnseal/views";
import { type Line, line, toned } from "../screen/line.ts";
import { renderChangedLines, renderChanges } from "../screen/render-changes.ts";

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
    .flatMap(({ path, loop, ...difference }) => [
      line(toned("strong", `    ${path === "" ? "the case" : path}`), describeLoop(loop)),
      ...renderDifference(difference),
    ]);
}

function describeLoop(loop: string | undefined): string {
  return loop === undefined ? "" : `  ${loop} has changed`;
}

/** Two texts are shown by the lines that differ, and so is a loop whose document was kept. */
function renderDifference({ expected, actual, changes }: Omit<Difference, "path">): Line[] {
  if (changes !== undefined && changes.length > 0) return renderChanges(changes);
  if (isProse(expected) && isProse(actual))
    return renderChangedLines(compareTexts(expected, actual));
  return [
    line("      expected  ", toned("good", show(expected))),
    line("      actual    ", toned("bad", show(actual))),
  ];
}

function isProse(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value.includes(" ");
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = canonicalize(value);
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
