/**
 * Counts runs, as a fold of their events. Labels come from closed sets, or are names that were
 * checked when they were defined. A model's words are never labels.
 */
import {
  type ContentOf,
  type EventOf,
  isOfFiles,
  isOfPlan,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  unreachable,
} from "@turnseal/protocol";

/** Whose event it is. */
export interface MeasuredRun {
  readonly tenant: string;
  /** The loop of the run; undefined where the state of the run does not say. */
  readonly loop: string | undefined;
}

export interface MeasuredTurn {
  readonly outcome: string;
  /** Why it did not complete. */
  readonly reason?: string;
  /** Absent where they say nothing of us: it waited, or somebody else began it. */
  readonly seconds?: number;
}

export interface MeasuredAction {
  readonly action: string;
  /** The tool, the model or the loop; undefined where somebody else has claimed it. */
  readonly name: string | undefined;
  readonly status: string;
  /** The class of a failure of a model. */
  readonly failure?: string;
  readonly seconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly moneyMicros: number;
}

/** Who counts. */
export interface RunMeter {
  onTurn(run: MeasuredRun, turn: MeasuredTurn): void;
  onStop(run: MeasuredRun, reason: string): void;
  onAction(run: MeasuredRun, action: MeasuredAction): void;
  onUnknown(run: MeasuredRun, action: Pick<MeasuredAction, "action" | "status" | "name">): void;
  /** A claim asked for a lease of a rate limit, which is `away` where nobody could tell. */
  onLimit(run: MeasuredRun, answer: "taken" | "away", waitedSeconds: number): void;
  /** It is written down that the run cannot go on, once for each cause. */
  onBlocked(run: MeasuredRun, cause: string): void;
}

/** Turns and actions whose begin is remembered; of more, the oldest are not. */
export const OPEN_TURNS_MAX = 10_000;
export const OPEN_ACTIONS_MAX = 10_000;

/** Tells the meter of every event that counts. */
export function measureRuns(meter: RunMeter): (event: LoopEvent, run: MeasuredRun) => void {
  const turns = createRecent<number>(OPEN_TURNS_MAX);
  const claims = createRecent<string>(OPEN_ACTIONS_MAX);
  return (event, run) => {
    if (isOfPlan(event) || isOfFiles(event) || event.type === "group.closed") return;
    const turn = `${run.tenant}/${event.run}/${event.turn}`;
    switch (event.type) {
      case "turn.started":
        turns.set(turn, Date.parse(event.at));
        return;
      case "turn.denied":
      case "turn.resumed":
      case "turn.waiting":
        turns.take(turn);
        return;
      case "turn.closed":
        meter.onTurn(run, measureTurn(event, turns.take(turn)));
        return;
      case "run.stopped":
        meter.onStop(run, event.content.reason);
        return;
      case "run.blocked":
        meter.onBlocked(run, event.content.cause);
        return;
      case "action.claimed": {
        const { content } = event;
        claims.set(`${run.tenant}/${event.run}/${event.sequence}`, nameAction(content));
        if (content.action === "model" && content.limit !== undefined)
          meter.onLimit(run, content.limit.answer, content.limit.waitedMs / 1_000);
        return;
      }
      case "action.unknown":
        meter.onUnknown(run, measureUnknown(event.content));
        return;
      case "action.settled": {
        const name = claims.take(`${run.tenant}/${event.run}/${event.content.claim}`);
        meter.onAction(run, { name, ...measureAction(event.content) });
        return;
      }
      case "run.started":
      case "run.decided":
      case "run.resolved":
      case "signal.received":
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
        return;
      default:
        if (!isVendorEvent(event)) unreachable(event);
    }
  };
}

function measureUnknown({ action, status, name }: ContentOf<"action.unknown">) {
  return { action, status, name };
}

function measureTurn(
  { at, content: { outcome, reason } }: EventOf<"turn.closed">,
  sinceMs: number | undefined,
): MeasuredTurn {
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(sinceMs === undefined ? {} : { seconds: (Date.parse(at) - sinceMs) / 1_000 }),
  };
}

function measureAction(
  content: EventOf<"action.settled">["content"],
): Omit<MeasuredAction, "name"> {
  const { action, status, durationMs, spent } = content;
  const failure = content.action === "model" ? content.failure : undefined;
  // The cost of a handoff's run counts in that run.
  const own = action === "handoff" ? {} : spent;
  return {
    ...{ action, status, seconds: durationMs / 1_000 },
    ...(failure === undefined ? {} : { failure }),
    inputTokens: own.inputTokens ?? 0,
    outputTokens: own.outputTokens ?? 0,
    moneyMicros: own.moneyMicros ?? 0,
  };
}

/** A map that forgets what was set longest ago. */
function createRecent<Value>(max: number) {
  const values = new Map<string, Value>();
  return {
    set: (key: string, value: Value): void => {
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
    },
    take: (key: string): Value | undefined => {
      const value = values.get(key);
      values.delete(key);
      return value;
    },
  };
}
