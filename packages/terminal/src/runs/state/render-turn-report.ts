import {
  describeCause,
  describeTurnFailure,
  explainReason,
  type TurnReport,
} from "@turnseal/views";
import { describeWhen } from "../../inbox/render-provider.ts";
import { formatSpending } from "../../screen/format-amounts.ts";
import { type Line, line, toned } from "../../screen/line.ts";
import { renderDetail } from "../../screen/render-field.ts";

/** Renders what a run says after a turn. */
export function renderTurnReport(report: TurnReport): Line[] {
  const { run, turn, turnsMax, receipt, outcome, reason, decision, decisionReason } = report;
  const place = turnsMax === null ? `turn ${turn}` : `turn ${turn} of at most ${turnsMax}`;
  const why = explainReason(decisionReason);
  return [
    line(toned("strong", place), "  ", toned(toneOf(outcome), outcome), describe(reason)),
    ...renderCause(report),
    ...renderDetail("run", run),
    ...renderDetail("receipt", receipt ?? "none"),
    ...renderDetail("decision", `${decision}: ${decisionReason}`),
    ...renderNext(report, why),
    ...renderDetail("spent", formatSpending(report.spending, report.budget)),
    ...renderDetail("context", describeContext(report)),
  ];
}

/** The cause of a failure, and the remedy. */
export function renderCause({ cause, reason }: Pick<TurnReport, "cause" | "reason">): Line[] {
  const described = describeCause(cause) ?? describeTurnFailure(reason);
  if (described === undefined) return [];
  return [...renderDetail("cause", described.words), ...renderDetail("try", described.next)];
}

function renderNext({ decision, decisionReason, until, cause }: TurnReport, why: string): Line[] {
  if (decision === "stop") return renderDetail("finished", why);
  if (decisionReason === "provider-awaited")
    return renderDetail(
      "next",
      `waiting for ${cause?.model ?? "the provider"}, asked ${describeWhen({ until })}`,
    );
  return renderDetail("next", `${decision === "wait" ? "waiting" : "another turn"}: ${why}`);
}

/** The same for programs: one object. */
export function toTurnLine(report: TurnReport): object {
  return { type: "turn", ...report, next: report.decision === "continue" };
}

function toneOf(outcome: string): "good" | "bad" {
  return outcome === "completed" ? "good" : "bad";
}

function describe(reason: string | null): string {
  return reason === null ? "" : `  ${reason}`;
}

function describeContext({ contextTokens, cacheReadTokens }: TurnReport): string {
  if (contextTokens === null) return "no model has answered";
  const cached = cacheReadTokens === undefined ? "" : `, ${cacheReadTokens} from a cache`;
  return `${contextTokens} tokens in the last request${cached}`;
}
