import type { SingleVerdict, StoreVerdict, Verdict } from "@turnseal/operate/proof";
import type { Finding, RunVerdict, VerdictWord } from "@turnseal/protocol/receipts";
import { renderAllowance } from "../runs/state/render-allowance.ts";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, renderNext, type Span, toned } from "../screen/line.ts";

/** How many findings are shown. */
export const FINDINGS_SHOWN_MAX = 20;

export interface VerdictOptions {
  /** An open turn is nothing to be warned of. */
  readonly isExpected: boolean;
}

/** Renders a verdict: its word, what was checked, what is not sealed, and what is wrong. */
export function renderVerdict(verdict: Verdict, { isExpected }: VerdictOptions): Line[] {
  const findings = listFindings(verdict);
  const found = verdict.kind === "store" ? verdict.found : findings.length;
  const left = found - FINDINGS_SHOWN_MAX;
  return [
    line(renderWord(verdict, isExpected), `  ${describeSubject(verdict)}`),
    ...(verdict.kind === "run" ? (verdict.allowed ?? []) : []).map(renderAllowance),
    ...renderUnsealed(verdict),
    ...findings.slice(0, FINDINGS_SHOWN_MAX).map(renderFinding),
    ...(left > 0 ? [line("  ", toned("faint", `and ${left} more`))] : []),
    ...renderHint(verdict, isExpected),
    ...(verdict.kind === "store" ? renderInterrupted(verdict) : []),
  ];
}

/** An open turn is never called valid: only what is sealed is. */
function renderWord(verdict: Verdict, isExpected: boolean): Span {
  const word: VerdictWord = verdict.verdict;
  if (word === "valid") return toned("good", "✓ valid");
  if (word === "invalid") return toned("bad", "✗ invalid");
  if (verdict.kind === "store" && verdict.interrupted !== undefined)
    return toned("warning", "○ not finished");
  return isExpected ? toned("warning", "○ valid so far") : toned("bad", "✗ open");
}

/** The findings, each with its run if there are several. */
function listFindings(verdict: Verdict): readonly Finding[] {
  if (verdict.kind !== "tree") return verdict.findings;
  const found = verdict.runs.flatMap(({ run, findings }) =>
    findings.map((each) => ({ run, ...each })),
  );
  return [...found, ...verdict.set.findings];
}

/** The unsealed parts. */
function renderUnsealed(verdict: Verdict): Line[] {
  if (verdict.kind === "run")
    return [...renderTail(verdict), ...renderUnsealedArtifacts(verdict.unsealedArtifacts)];
  if (verdict.kind === "receipt") return renderLineage(verdict);
  if (verdict.kind !== "store") return [];
  const { notStarted, notSealed, waiting } = verdict;
  return [
    ...renderRuns("not started", notStarted, waiting.notStarted),
    ...renderRuns("nothing sealed yet, the first turn is open", notSealed, waiting.notSealed),
  ];
}

/** Where to go on: everything before it was checked. */
function renderInterrupted({ checked, interrupted }: StoreVerdict): Line[] {
  if (interrupted === undefined) return [];
  const { upTo } = interrupted;
  const rest = upTo === undefined ? "" : ` --after ${upTo}`;
  const done = `interrupted, ${countOf(checked, "run")} checked`;
  return [line(`${done}; `, toned("faint", "next: "), `turnseal verify${rest}`)];
}

function renderTail({ verdict, events, sealedUntil }: RunVerdict): Line[] {
  const first = sealedUntil + 1;
  if (verdict === "invalid" || events < first) return [];
  const which = events === first ? `event ${first}` : `events ${first} to ${events}`;
  const what =
    verdict === "open" ? "which anyone could have written" : "written after the last receipt";
  return [line("  ", toned("faint", `not sealed: ${which}, ${what}`))];
}

/** Content that only an unsealed event names: anyone may have written that. */
export function renderUnsealedArtifacts(paths: readonly string[] = []): Line[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, FINDINGS_SHOWN_MAX).join(", ");
  const left = paths.length - FINDINGS_SHOWN_MAX;
  const more = left > 0 ? ` and ${left} more` : "";
  return [
    line("  ", toned("warning", "not sealed: "), `${shown}${more}, named after the last receipt`),
  ];
}

function renderLineage({ valid, signature, about }: SingleVerdict): Line[] {
  if (!valid || signature === undefined) return [];
  const { keyId, issuer } = signature;
  return [
    line(`  ${about}`),
    line(`  signed with the ${issuer} key ${keyId}`),
    line(
      "  ",
      toned("faint", "lineage unverified: earlier receipts and the events are not checked"),
    ),
  ];
}

function renderRuns(what: string, runs: readonly string[], count: number): Line[] {
  if (count === 0) return [];
  const shown = runs.slice(0, FINDINGS_SHOWN_MAX).join(", ");
  const left = count - FINDINGS_SHOWN_MAX;
  return [line("  ", toned("faint", `${what}: ${shown}${left > 0 ? ` and ${left} more` : ""}`))];
}

function describeSubject(verdict: Verdict): string {
  switch (verdict.kind) {
    case "receipt":
      return verdict.id === null ? "receipt" : `receipt ${verdict.id}`;
    case "run": {
      const { run, events, receipts, sealedUntil, firstWrong } = verdict;
      const wrong = firstWrong === null ? "" : `the first wrong event is ${firstWrong}`;
      const end = verdict.verdict === "invalid" ? wrong : `sealed until event ${sealedUntil}`;
      return [`run ${run}`, countOf(events, "event"), countOf(receipts, "receipt"), end]
        .filter((part) => part !== "")
        .join(", ");
    }
    case "set":
      return `${countOf(verdict.receipts, "receipt")} of ${countOf(verdict.runs, "run")}`;
    case "store":
      return `${countOf(verdict.checked, "run")}, ${countOf(verdict.set.receipts, "receipt")}`;
    case "tree":
      return `${countOf(verdict.runs.length, "run")}, ${countOf(verdict.set.receipts, "receipt")}`;
  }
}

function renderFinding({ code, message, sequence, turn, run }: Finding): Line {
  const places = [
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(sequence === undefined ? [] : [`event ${sequence}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
  ];
  const place = places.filter((name) => !message.includes(name)).join(", ");
  return line("  ", toned("bad", code), place === "" ? "  " : `  ${place}: `, message);
}

function renderHint(verdict: Verdict, isExpected: boolean): Line[] {
  const isKeyUnknown = listFindings(verdict).some(
    ({ code, message }) => code === "KEY_UNKNOWN" && !message.includes("turnseal keys trust"),
  );
  const next = isKeyUnknown
    ? "turnseal verify ... --keys <the signer's keys>"
    : verdict.verdict === "open" && !isExpected && !("interrupted" in verdict)
      ? "turnseal verify ... --allow-open, if you act on what is sealed alone"
      : undefined;
  return next === undefined ? [] : [renderNext(next)];
}
