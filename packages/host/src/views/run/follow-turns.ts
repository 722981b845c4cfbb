/**
 * What a run says after each turn, as a fold of its events: live while it runs, and later from its
 * log.
 */
import {
  type Amounts,
  type LoopEvent,
  NO_SPENDING,
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
export function followTurns(spec?: RunSpec): (event: LoopEvent) => TurnReport | undefined {
  let bounds = boundsOf(spec);
  let closed: LoopEvent | undefined;
  let contextTokens: number | null = null;
  return (event) => {
    const { type, content } = event;
    if (type === "run.started") bounds = boundsOf(content["spec"] as unknown as RunSpec);
    if (type === "turn.started") contextTokens = null;
    if (type === "action.settled" && typeof content["inputTokens"] === "number")
      contextTokens = content["inputTokens"];
    if (type === "turn.closed") closed = event;
    if (type !== "run.decided" || closed === undefined) return undefined;
    const report = toReport(closed, event, { ...bounds, contextTokens });
    closed = undefined;
    return report;
  };
}

function boundsOf(spec: RunSpec | undefined): Pick<TurnReport, "budget" | "turnsMax"> {
  return { budget: spec?.grant.budget ?? {}, turnsMax: spec?.bounds.turnsMax ?? null };
}

function toReport(
  { run, turn = 0, content }: LoopEvent,
  decided: LoopEvent,
  known: Pick<TurnReport, "budget" | "turnsMax" | "contextTokens">,
): TurnReport {
  return {
    run,
    turn,
    receipt: readText(decided.content["receipt"]),
    outcome: String(content["outcome"]),
    reason: readText(content["reason"]),
    decision: String(decided.content["decision"]),
    decisionReason: String(decided.content["reason"]),
    spending: (content["spending"] as unknown as Spending | undefined) ?? NO_SPENDING,
    ...known,
  };
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
