/**
 * What a run says after each turn, as a fold of its events: live while it runs, and later from its
 * log.
 */
import {
  type Amounts,
  type EventOf,
  isSettledOf,
  type LoopEvent,
  type RunSpec,
  type Spending,
} from "@turnseal/protocol";

export interface TurnReport {
  readonly run: string;
  readonly turn: number;
  /** Turns that the bounds allow; null where that is not known. */
  readonly turnsMax: number | null;
  readonly receipt: string | null;
  readonly outcome: string;
  /** Why the turn did not complete; null when it did. */
  readonly reason: string | null;
  readonly decision: string;
  /** Why there is a next turn, or none. */
  readonly decisionReason: string;
  readonly spending: Spending;
  readonly budget: Amounts;
  /** Tokens that went into the turn's last model request; null when there was none. */
  readonly contextTokens: number | null;
}

/** Answers with a report for each event that ends a turn, and with nothing for the others. */
export function followReports(spec?: RunSpec): (event: LoopEvent) => TurnReport | undefined {
  let bounds = boundsOf(spec);
  let closed: EventOf<"turn.closed"> | undefined;
  let contextTokens: number | null = null;
  return (event) => {
    if (event.type === "run.started") bounds = boundsOf(event.content.spec);
    if (event.type === "turn.started") contextTokens = null;
    if (isSettledOf("model", event)) contextTokens = event.content.inputTokens ?? contextTokens;
    if (event.type === "turn.closed") closed = event;
    if (event.type !== "run.decided" || closed === undefined) return undefined;
    const report = toReport(closed, event, { ...bounds, contextTokens });
    closed = undefined;
    return report;
  };
}

function boundsOf(spec: RunSpec | undefined): Pick<TurnReport, "budget" | "turnsMax"> {
  return { budget: spec?.grant.budget ?? {}, turnsMax: spec?.bounds.turnsMax ?? null };
}

function toReport(
  { run, turn, content }: EventOf<"turn.closed">,
  decided: EventOf<"run.decided">,
  known: Pick<TurnReport, "budget" | "turnsMax" | "contextTokens">,
): TurnReport {
  return {
    run,
    turn,
    receipt: decided.content.receipt,
    outcome: content.outcome,
    reason: content.reason ?? null,
    decision: decided.content.decision,
    decisionReason: decided.content.reason,
    spending: content.spending,
    ...known,
  };
}
