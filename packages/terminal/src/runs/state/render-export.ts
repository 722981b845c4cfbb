/** The head of everything that is shown of an export: whether any of it is proven. */
import type { Exported } from "@turnseal/operate/proof";
import { type Line, line, type Span, toned } from "../../screen/line.ts";
import { renderField } from "../../screen/render-field.ts";

/** How many findings stand above; `verify` has them all. */
const FINDINGS_SHOWN_MAX = 3;

/** Renders the verdict on an export in a line or a few. */
export function renderExport({ file, verdict }: Exported): Line[] {
  const { findings, sealedUntil, events } = verdict;
  const [head = line()] = renderField("export", `${file}: `);
  const tail =
    events > sealedUntil ? `; events ${sealedUntil + 1} to ${events} are not sealed` : "";
  switch (verdict.verdict) {
    case "valid":
      return [
        join(head, toned("good", "✓ verifies"), `, sealed until event ${sealedUntil}${tail}`),
      ];
    case "open":
      return [
        join(head, toned("warning", "○ open"), `, sealed until event ${sealedUntil}${tail}:`),
        line(`${INDENT}anyone could have written those`),
      ];
    case "invalid":
      return [
        join(head, toned("bad", "✗ does not verify"), ": nothing of it is proven"),
        ...findings
          .slice(0, FINDINGS_SHOWN_MAX)
          .map(({ code, message }) => line(INDENT, toned("bad", code), `  ${message}`)),
        line(INDENT, toned("faint", "next: "), `turnseal verify ${file}${hint(verdict)}`),
      ];
  }
}

/** The same for programs, and whether a receipt vouches for how the run stands. */
export function toJsonExport(exported: Exported | undefined): object {
  if (exported === undefined) return {};
  const { verdict: word, sealedUntil, events, findings } = exported.verdict;
  const found = { verdict: word, sealedUntil, events, findings };
  return { export: found, reasonSealed: isSealed(exported, events) };
}

/** The last event that a receipt of the export vouches for; 0 for none. */
export function sealedUntil({ verdict }: Exported): number {
  return verdict.verdict === "invalid" ? 0 : verdict.sealedUntil;
}

/** True for what a receipt vouches for, and for a run that is not read from an export. */
export function isSealed(exported: Exported | undefined, sequence: number): boolean {
  return exported === undefined || sequence <= sealedUntil(exported);
}

/** Stands behind how the run of an export ends, where no receipt vouches for its last event. */
export function markUnsealed(exported: Exported | undefined): string {
  return isSealed(exported, exported?.verdict.events ?? 0) ? "" : UNSEALED;
}

export const UNSEALED = " (not sealed)";

const INDENT = " ".repeat(10);

function join(head: Line, ...spans: readonly (string | Span)[]): Line {
  return { spans: [...head.spans, ...line(...spans).spans] };
}

function hint({ findings }: Exported["verdict"]): string {
  const isKeyUnknown = findings.some(({ code }) => code === "KEY_UNKNOWN");
  return isKeyUnknown ? " --keys <the signer's keys>" : "";
}
