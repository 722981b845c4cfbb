import type { Finding } from "@turnseal/protocol/receipts";
import type { Verdict } from "../commands/verify-document.ts";
import { countOf } from "./count-of.ts";
import { type Line, line, toned } from "./line.ts";
import { renderAllowance } from "./render-allowance.ts";

/** How many findings are shown. */
export const FINDINGS_SHOWN_MAX = 20;

/** Renders a verdict: valid or not, what was checked, and the first thing that is wrong. */
export function renderVerdict(verdict: Verdict): Line[] {
  const findings = listFindings(verdict);
  const left = findings.length - FINDINGS_SHOWN_MAX;
  return [
    line(
      verdict.valid ? toned("good", "✓ valid") : toned("bad", "✗ invalid"),
      `  ${describeSubject(verdict)}`,
    ),
    ...(verdict.kind === "run" ? (verdict.allowed ?? []) : []).map(renderAllowance),
    ...findings.slice(0, FINDINGS_SHOWN_MAX).map(renderFinding),
    ...(left > 0 ? [line("  ", toned("faint", `and ${left} more`))] : []),
    ...renderHint(findings),
  ];
}

function listFindings(verdict: Verdict): readonly Finding[] {
  if (verdict.kind !== "tree") return verdict.findings;
  const found = verdict.runs.flatMap(({ findings }) => findings);
  return found.length > 0 ? found : verdict.set.findings;
}

function describeSubject(verdict: Verdict): string {
  switch (verdict.kind) {
    case "receipt":
      return verdict.id === null ? "receipt" : `receipt ${verdict.id}`;
    case "run": {
      const { run, events, receipts, sealedUntil, firstWrong } = verdict;
      const end = verdict.valid
        ? `sealed until event ${sealedUntil}`
        : firstWrong === null
          ? ""
          : `the first wrong event is ${firstWrong}`;
      return [`run ${run}`, countOf(events, "event"), countOf(receipts, "receipt"), end]
        .filter((part) => part !== "")
        .join(", ");
    }
    case "set":
      return `${countOf(verdict.receipts, "receipt")} of ${countOf(verdict.runs, "run")}`;
    case "tree":
      return `${countOf(verdict.runs.length, "run")}, ${countOf(verdict.set.receipts, "receipt")}`;
  }
}

function renderFinding({ code, message, sequence, turn }: Finding): Line {
  const places = [
    ...(sequence === undefined ? [] : [`event ${sequence}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
  ];
  const place = places.filter((name) => !message.includes(name)).join(", ");
  return line("  ", toned("bad", code), place === "" ? "  " : `  ${place}: `, message);
}

function renderHint(findings: readonly Finding[]): Line[] {
  const isKeyUnknown = findings.some(({ code }) => code === "KEY_UNKNOWN");
  if (!isKeyUnknown) return [];
  return [line("  ", toned("faint", "next: "), "turnseal verify ... --keys <the signer's keys>")];
}
