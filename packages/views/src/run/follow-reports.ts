/**
 * The report of a run after each turn, as a fold of its events: live while it runs, and later from
 * its log.
 */
import {
  type Amounts,
  type EventOf,
  isOfFiles,
  isOfPlan,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  type RunSpec,
  type SettledOf,
  type Spending,
  unreachable,
} from "@turnseal/protocol";
import type { FailedRequest } from "./describe-cause.ts";

export interface TurnReport {
  readonly run: string;
  readonly turn: number;
  /** Turns that the bounds allow; null where that is not known. */
  readonly turnsMax: number | null;
  readonly receipt: string | null;
  readonly outcome: string;
  /** Why the turn did not complete; null when it did. */
  readonly reason: string | null;
  /** The last model request that failed, and its class, where the turn did not complete. */
  readonly cause?: FailedRequest;
  readonly decision: string;
  /** Why there is a next turn, or none. */
  readonly decisionReason: string;
  /** When an awaited provider is asked again by itself. */
  readonly until?: string;
  readonly spending: Spending;
  readonly budget: Amounts;
  /** Tokens that went into the turn's last model request; null when there was none. */
  readonly contextTokens: number | null;
  /** The cached ones among these; absent for none. */
  readonly cacheReadTokens?: number;
}

/** Answers with a report for each event that ends a turn, and with nothing for the others. */
export function followReports(spec?: RunSpec): (event: LoopEvent) => TurnReport | undefined {
  let bounds = boundsOf(spec);
  let closed: EventOf<"turn.closed"> | undefined;
  let context: Context = NO_CONTEXT;
  let [asked, cause]: [string, TurnReport["cause"]] = ["", undefined];
  return (event) => {
    if (isOfPlan(event) || isOfFiles(event) || event.type === "group.closed") return undefined;
    switch (event.type) {
      case "run.started":
        bounds = boundsOf(event.content.spec);
        return undefined;
      case "turn.started":
        [context, cause] = [NO_CONTEXT, undefined];
        return undefined;
      case "action.claimed":
        if (event.content.action === "model") asked = nameAction(event.content);
        return undefined;
      case "action.settled": {
        if (event.content.action !== "model") return undefined;
        context = contextOf(event.content) ?? context;
        const { status, failure = status === "timed-out" ? "TIMEOUT" : undefined } = event.content;
        cause = failure === undefined ? undefined : { model: asked, failure };
        return undefined;
      }
      case "turn.closed":
        closed = event;
        return undefined;
      case "run.decided": {
        const outcome = closed?.content.outcome;
        const isFailed = outcome === "failed" || outcome === "timed-out";
        const why = isFailed && cause !== undefined ? { cause } : {};
        const report = closed && toReport(closed, event, { ...bounds, ...context, ...why });
        closed = undefined;
        return report;
      }
      case "run.blocked":
      case "run.stopped":
      case "run.resolved":
      case "signal.received":
      case "turn.denied":
      case "turn.resumed":
      case "turn.waiting":
      case "call.started":
      case "call.input.validated":
      case "call.output.validated":
      case "call.completed":
      case "call.errored":
      case "child.started":
      case "child.completed":
      case "fanout.fixed":
      case "item.closed":
      case "step.retried":
      case "step.skipped":
      case "action.unknown":
      case "action.resolved":
      case "cache.hit":
      case "approval.requested":
      case "approval.decided":
      case "approval.expired":
      case "question.asked":
      case "question.answered":
      case "note.added":
      case "note.expired":
      case "log":
        return undefined;
      default:
        return isVendorEvent(event) ? undefined : unreachable(event);
    }
  };
}

type Context = Pick<TurnReport, "contextTokens" | "cacheReadTokens">;

const NO_CONTEXT: Context = { contextTokens: null };

function contextOf({
  inputTokens,
  cacheReadTokens,
}: SettledOf<"model">["content"]): Context | undefined {
  if (inputTokens === undefined) return undefined;
  const cached = cacheReadTokens === undefined ? {} : { cacheReadTokens };
  return { contextTokens: inputTokens, ...cached };
}

function boundsOf(spec: RunSpec | undefined): Pick<TurnReport, "budget" | "turnsMax"> {
  return { budget: spec?.grant.budget ?? {}, turnsMax: spec?.bounds.turnsMax ?? null };
}

function toReport(
  { run, turn, content }: EventOf<"turn.closed">,
  decided: EventOf<"run.decided">,
  known: Pick<TurnReport, "budget" | "turnsMax" | "cause"> & Context,
): TurnReport {
  return {
    run,
    turn,
    receipt: decided.content.receipt,
    outcome: content.outcome,
    reason: content.reason ?? null,
    decision: decided.content.decision,
    decisionReason: decided.content.reason,
    ...(decided.content.until === undefined ? {} : { until: decided.content.until }),
    spending: content.spending,
    ...known,
  };
}
