/**
 * The LSEM trace as a pure function of native events (spec/events.md, "The LSEM view").
 *
 * An action that failed has no event of its own in LSEM: the call.errored that follows it says so.
 */
import { unreachable } from "../error.ts";
import { isLogEventType } from "../events/event-types.ts";
import type {
  ActionClaimed,
  ActionSettled,
  CallEvent,
  ChildStarted,
  CoreCallEvent,
} from "./call-event.ts";
import type { TraceEvent } from "./trace-event.ts";

/** Renders the events of a call as LSEM writes them. */
export function toTrace(events: readonly CallEvent[]): TraceEvent[] {
  const nextSteps: NextSteps = new Map();
  const trace: TraceEvent[] = [];
  for (const event of events) {
    const traced = traceEvent(event, nextSteps);
    if (traced !== undefined) trace.push(traced);
  }
  return trace;
}

/** The same for events one by one: it remembers the earlier ones. */
export function createTracer(): (event: CallEvent) => TraceEvent[] {
  const nextSteps: NextSteps = new Map();
  return (event) => {
    const traced = traceEvent(event, nextSteps);
    return traced === undefined ? [] : [traced];
  };
}

/** Of each call, the number that its next child has at least. */
type NextSteps = Map<string, number>;

function traceEvent(event: CallEvent, nextSteps: NextSteps): TraceEvent | undefined {
  const rendered = renderEvent(event, nextSteps);
  if (rendered === undefined) return undefined;
  const { type, payload } = rendered;
  return { callId: event.call, ts: event.at, type, payload };
}

interface Rendered {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A prompt numbers its tools again in every round; here each number occurs once in a call. */
function renderChild(
  { type, call, content: { child, loop, step, path } }: ChildStarted,
  nextSteps: NextSteps,
): Rendered {
  // In a flow the same node is called again and again, and its path says which time.
  if (path !== undefined)
    return { type, payload: { childCallId: child, loopId: loop, stepIndex: step, path } };
  const stepIndex = Math.max(step, nextSteps.get(call) ?? 0);
  nextSteps.set(call, stepIndex + 1);
  return { type, payload: { childCallId: child, loopId: loop, stepIndex } };
}

function renderEvent(event: CallEvent, nextSteps: NextSteps): Rendered | undefined {
  if (!isCore(event)) return { type: event.type, payload: { ...event.attached } };
  switch (event.type) {
    case "call.started": {
      const { loop, version } = event.content;
      const parent = event.parentCall === undefined ? {} : { parentCallId: event.parentCall };
      return { type: event.type, payload: { loopId: loop, loopVersion: version, ...parent } };
    }
    case "call.input.validated":
    case "call.output.validated":
      return { type: event.type, payload: { durationMs: event.content.durationMs } };
    case "call.completed":
      return { type: event.type, payload: { totalDurationMs: event.content.durationMs } };
    case "call.errored":
      return { type: event.type, payload: { ...event.content } };
    case "child.started":
      return renderChild(event, nextSteps);
    case "child.completed":
      return {
        type: event.type,
        payload: { childCallId: event.content.child, status: event.content.status },
      };
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
      // LSEM knows no flows: what an item does is in its children.
      return undefined;
    case "action.claimed":
      return renderClaim(event);
    case "action.settled":
      return renderSettlement(event);
    case "log":
      return {
        type: event.type,
        payload: { level: event.content.level, message: event.attached?.["message"] ?? "" },
      };
    default:
      return unreachable(event);
  }
}

function renderClaim({ content }: ActionClaimed): Rendered {
  if (content.action === "tool") {
    return { type: "call.tool.invoked", payload: { toolName: content.tool } };
  }
  const { backend, model, promptLength } = content;
  return { type: "call.backend.requested", payload: { backendId: backend, model, promptLength } };
}

function renderSettlement({ content }: ActionSettled): Rendered | undefined {
  if (content.status !== "ok") return undefined;
  if (content.action === "tool") {
    return { type: "call.tool.returned", payload: { durationMs: content.durationMs } };
  }
  const { durationMs, inputTokens = null, outputTokens = null } = content;
  return { type: "call.backend.responded", payload: { durationMs, inputTokens, outputTokens } };
}

function isCore(event: CallEvent): event is CoreCallEvent {
  return isLogEventType(event.type);
}
