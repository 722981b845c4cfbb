import type { ReadRules } from "@turnseal/runtime/project";
import type { ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";

const next = "turnseal policy check <file>";

/** Says what is wrong with a file of rules. Nothing is started without them. */
export function reportUnread(
  read: Exclude<ReadRules, { kind: "read" }>,
  terminal: Terminal,
  options: { readonly json?: boolean },
): ExitCode {
  if (read.kind === "unusable")
    return reportUsage(terminal, read.message, "the same command with --policy <file>");
  const code = reportRefusal(terminal, read.findings, options);
  if (options.json !== true) terminal.err.writeLine(line("  ", toned("faint", "next: "), next));
  return code;
}
