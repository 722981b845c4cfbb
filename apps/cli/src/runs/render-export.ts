/** What stands above everything that is shown of an export: whether any of it is proven. */
import type { RunVerdict } from "@turnseal/protocol/receipts";
import { type Line, line, type Span, toned } from "../terminal/line.ts";
import { renderField } from "../terminal/render-field.ts";

export interface Exported {
  readonly file: string;
  readonly verdict: RunVerdict;
  readonly isOpenExpected: boolean;
}

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

/** The same for programs. */
export function toJsonExport({ verdict }: Exported): object {
  const { verdict: word, sealedUntil, events, findings } = verdict;
  return { verdict: word, sealedUntil, events, findings };
}

/** True for what a receipt of the export vouches for. */
export function isSealed({ verdict }: Exported, sequence: number): boolean {
  return verdict.verdict !== "invalid" && sequence <= verdict.sealedUntil;
}

const INDENT = " ".repeat(10);

function join(head: Line, ...spans: readonly (string | Span)[]): Line {
  return { spans: [...head.spans, ...line(...spans).spans] };
}

function hint({ findings }: RunVerdict): string {
  const isKeyUnknown = findings.some(({ code }) => code === "KEY_UNKNOWN");
  return isKeyUnknown ? " --keys <the signer's keys>" : "";
}
