/**
 * Lists the refusals of a run: actions that the grant or a rule denied or that exceeded a budget,
 * and turns that were not admitted. It is a fold of the run's events.
 */
import {
  type CallErrorCode,
  type EventOf,
  isVendorEvent,
  type LoopEvent,
  unreachable,
} from "@turnseal/protocol";

export interface Refusal {
  readonly turn: number;
  /** The sequence number of the event that says so. */
  readonly event: number;
  readonly at: string;
  /** The refused action, and the refusing part: in our own words. */
  readonly what: string;
}

/** How many of the latest are kept. */
export const REFUSALS_MAX = 50;

const REFUSED: ReadonlySet<CallErrorCode> = new Set(["POLICY_DENIED", "BUDGET_EXCEEDED"]);

export interface RefusalFold {
  take(event: LoopEvent): void;
  /** The latest, in the order of the log. */
  list(): readonly Refusal[];
}

export function followRefusals(): RefusalFold {
  const refusals: Refusal[] = [];
  // A refusal passes through the calls above its own, and is listed once.
  const passed = new Set<string>();
  const keep = (event: EventOf<"turn.denied" | "call.errored">, what: string): void => {
    refusals.push({ turn: event.turn, event: event.sequence, at: event.at, what });
    if (refusals.length > REFUSALS_MAX) refusals.shift();
  };
  return {
    list: () => refusals,
    take: (event) => {
      switch (event.type) {
        case "turn.denied":
          keep(event, `turn ${event.turn} was denied: ${event.content.reason}`);
          return;
        case "call.errored": {
          if (!REFUSED.has(event.content.code)) return;
          const isPassedOn = passed.delete(event.call);
          if (event.parentCall !== undefined) passed.add(event.parentCall);
          if (!isPassedOn) keep(event, event.content.message);
          return;
        }
        case "turn.closed":
          passed.clear();
          return;
        case "run.started":
        case "run.decided":
        case "run.blocked":
        case "run.stopped":
        case "run.resolved":
        case "signal.received":
        case "turn.started":
        case "turn.resumed":
        case "turn.waiting":
        case "call.started":
        case "call.input.validated":
        case "call.output.validated":
        case "call.completed":
        case "child.started":
        case "child.completed":
        case "fanout.fixed":
        case "item.closed":
        case "step.retried":
        case "step.skipped":
        case "group.closed":
        case "action.claimed":
        case "action.settled":
        case "action.unknown":
        case "action.resolved":
        case "cache.hit":
        case "approval.requested":
        case "approval.decided":
        case "approval.expired":
        case "question.asked":
        case "question.answered":
        case "plan.proposed":
        case "plan.decided":
        case "plan.closed":
        case "note.added":
        case "note.expired":
        case "drift.reconciled":
        case "artifact.adopted":
        case "log":
          return;
        default:
          if (!isVendorEvent(event)) unreachable(event);
      }
    },
  };
}
