/**
 * The log of a worker: one JSON object per line. Names, ids and counts only: questions, answers and
 * results are content, and stay out.
 */
import type { Observer } from "@turnseal/ports";
import {
  isLoopError,
  isVendorEvent,
  type LoopEvent,
  nameOfError,
  unreachable,
} from "@turnseal/protocol";

export type LogLevel = "info" | "warn" | "error";

export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface WorkerLog {
  say(level: LogLevel, what: string, facts?: LogFacts): void;
  /** An error by its code alone: its words may hold what it was about. */
  sayError(what: string, error: unknown, facts?: LogFacts): void;
}

/** An observer that writes a line for what operators look for. */
export function logRuns({ say }: Pick<WorkerLog, "say">): Observer {
  return {
    name: "log",
    onEvent: (event, { tenant }) => {
      const facts = describeEvent(event);
      if (facts === undefined) return;
      const { type, run, turn, sequence } = event;
      const place = { tenant, run, sequence, ...(turn === undefined ? {} : { turn }) };
      say(type === "action.unknown" ? "warn" : "info", type, { ...place, ...facts });
    },
  };
}

/** The log line of an event; undefined for events without one. */
function describeEvent(event: LoopEvent): LogFacts | undefined {
  switch (event.type) {
    case "run.started":
    case "turn.resumed":
      return {};
    case "turn.denied":
    case "run.stopped":
      return { reason: event.content.reason };
    case "turn.waiting": {
      const { for: waitedFor, until } = event.content;
      return { for: waitedFor, ...(until === undefined ? {} : { until }) };
    }
    case "turn.closed": {
      const { outcome, reason } = event.content;
      return { outcome, ...(reason === undefined ? {} : { reason }) };
    }
    case "action.unknown":
      return { action: event.content.action, name: event.content.name };
    case "run.resolved":
      return { resolution: event.content.resolution };
    case "run.decided":
    case "run.blocked":
    case "signal.received":
    case "turn.started":
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
    case "group.closed":
    case "action.claimed":
    case "action.settled":
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
      return undefined;
    default:
      return isVendorEvent(event) ? undefined : unreachable(event);
  }
}

export function createWorkerLog(write: (text: string) => void, now = Date.now): WorkerLog {
  const say: WorkerLog["say"] = (level, what, facts = {}) => {
    const at = new Date(now()).toISOString();
    write(`${JSON.stringify({ at, level, what, ...facts })}\n`);
  };
  return {
    say,
    sayError: (what, error, facts = {}) => {
      const code = isLoopError(error) ? error.code : nameOfError(error);
      say("error", what, { ...facts, code });
    },
  };
}
