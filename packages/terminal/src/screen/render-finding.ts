import type { Finding } from "@turnseal/documents";
import { type Line, line, renderNext, type Tone, toned } from "./line.ts";

/**
 * Renders a problem or a warning: the place as editors and terminals link it, the rule, the fault
 * and its remedy.
 */
export function renderFinding(finding: Finding, tone: Tone): Line[] {
  return [
    line(toned("strong", renderPlace(finding)), "  ", toned(tone, finding.rule)),
    line("  ", finding.message),
    line("  ", toned("faint", "mend: "), finding.mend),
    ...(finding.next === undefined ? [] : [renderNext(finding.next)]),
  ];
}

function renderPlace({ file, position, exportName, path }: Finding): string {
  if (position !== undefined) return `${file}:${position.line}:${position.column}`;
  if (exportName === undefined) return file;
  return `${file} export ${exportName}${path === "" ? "" : ` at ${path}`}`;
}
