import type { Finding } from "@turnseal/documents";
import {
  countOf,
  line,
  renderFinding,
  type Screen,
  type Terminal,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";

/** Says why nothing was done: as lines, or as one JSON value. */
export function reportRefusal(
  terminal: Terminal,
  problems: readonly Finding[],
  options: { readonly json?: boolean },
): ExitCode {
  if (options.json) {
    const refusal = { status: "refused", problems: problems.map(toJsonFinding) };
    writeJson(terminal.out, refusal, 2);
  } else {
    writeFindings(terminal.err, problems, "bad");
    terminal.err.writeLine(line(`refused: ${countOf(problems.length, "problem")}`));
  }
  return EXIT_CODES.failed;
}

/** Writes each finding with an empty line after it. */
export function writeFindings(
  screen: Screen,
  findings: readonly Finding[],
  tone: "bad" | "warning",
): void {
  for (const finding of findings) {
    for (const rendered of renderFinding(finding, tone)) screen.writeLine(rendered);
    screen.writeLine(line());
  }
}

/** A finding as JSON: the position is spread out, as other tools expect it. */
export function toJsonFinding({ position, ...finding }: Finding): object {
  return { ...finding, ...position };
}
