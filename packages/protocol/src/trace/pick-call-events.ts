/**
 * Turns the log of a run into the events of its calls, as calls outside a run would have them
 * (spec/events.md §5.4).
 *
 * 1. An item that is a run is a child of the call. Any other run, and a question to a person, are
 *    tools to the call that waits for them.
 * 2. An action that was resolved as happened has returned.
 * 3. The order is that of the log, and only events count.
 */
import type { JsonValue } from "../canonical-json.ts";
import { unreachable } from "../error.ts";
import type { ClaimedHandoff } from "../events/action-claim.ts";
import type { SettledStatus } from "../events/action-end.ts";
import { type ContentOf, type EventOf, isVendorEvent, type LoopEvent } from "../events/event.ts";
import {
  type FileEventType,
  isOfFiles,
  isOfPlan,
  type PlanEventType,
} from "../events/event-types.ts";
import type { HandedItem } from "../events/handed.ts";
import { HANDOFF_TOOL, QUESTION_TOOL } from "../tool-reference.ts";
import type { ActionClaimed, ActionSettled, ActionSettlement, CallEvent } from "./call-event.ts";

/** The content beside an event: a log keeps it apart, and may have erased it. */
export type ReadAttached = (event: LoopEvent) => Readonly<Record<string, JsonValue>> | undefined;

/** The events of a run that are about its calls, without their place in the log. */
export function pickCallEvents(
  events: readonly LoopEvent[],
  readAttached: ReadAttached = () => undefined,
): CallEvent[] {
  const begun: Begun = { atMs: new Map(), children: new Map() };
  return events.flatMap((event): CallEvent[] => {
    const { at, call, parentCall } = event;
    const isPassed = isOfPlan(event) || isOfFiles(event);
    const said = call === undefined || isPassed ? undefined : readAny(event, begun);
    if (said === undefined || call === undefined) return [];
    const attached = readAttached(event);
    return [
      {
        ...{ ...said, at, call },
        ...(parentCall === undefined ? {} : { parentCall }),
        ...(attached === undefined ? {} : { attached }),
      },
    ];
  });
}

type SaidOf<Event> = Event extends CallEvent ? Pick<Event, "type" | "content"> : never;
type Said = SaidOf<CallEvent>;

/** Begun actions, by key. */
interface Begun {
  readonly atMs: Map<string, number>;
  /** The runs of items. */
  readonly children: Map<string, string>;
}

/** Events of plans and files are not in a trace. */
type Done = Exclude<LoopEvent, EventOf<PlanEventType | FileEventType>>;

/** How a group ended is in a trace as it is. */
type Spoken = Exclude<Done, EventOf<"group.closed">>;

function readAny(event: Done, begun: Begun): Said | undefined {
  return event.type === "group.closed"
    ? { type: event.type, content: event.content }
    : readEvent(event, begun);
}

function readEvent(event: Spoken, { atMs: begunMs, children }: Begun): Said | undefined {
  const atMs = Date.parse(event.at);
  const returned = (key: string): Said => {
    const durationMs = atMs - (begunMs.get(key) ?? atMs);
    return settled({ action: "tool", status: "ok", durationMs });
  };
  switch (event.type) {
    case "call.started":
      return { type: event.type, content: event.content };
    case "call.input.validated":
    case "call.output.validated":
    case "call.completed":
      return { type: event.type, content: event.content };
    case "call.errored":
      return { type: event.type, content: event.content };
    case "child.started":
      return { type: event.type, content: event.content };
    case "child.completed":
      return { type: event.type, content: event.content };
    case "fanout.fixed":
      return { type: event.type, content: event.content };
    case "item.closed":
      return { type: event.type, content: event.content };
    case "step.retried":
      return { type: event.type, content: event.content };
    case "step.skipped":
      return { type: event.type, content: event.content };
    case "log":
      return { type: event.type, content: event.content };
    case "action.claimed":
      return readClaim(event.content, atMs, { atMs: begunMs, children });
    case "question.asked":
      // A wait is no tool: a flow stands still there.
      if (event.content.to === "signal") return undefined;
      begunMs.set(event.content.key, atMs);
      return invoked(QUESTION_TOOL);
    case "action.settled": {
      const { content } = event;
      if (content.action !== "handoff") return settled(content);
      if (children.has(content.key)) return endItem(children.get(content.key), content.status);
      return content.status === "ok" ? returned(content.key) : settled(asTool(content));
    }
    case "question.answered":
      return event.content.signal === undefined ? returned(event.content.key) : undefined;
    case "action.resolved":
      return event.content.resolution === "happened" ? returned(event.content.key) : undefined;
    case "run.started":
    case "run.decided":
    case "run.blocked":
    case "run.stopped":
    case "run.resolved":
    case "signal.received":
    case "turn.started":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
    case "turn.closed":
    case "action.unknown":
    case "cache.hit":
    case "approval.requested":
    case "approval.decided":
    case "approval.expired":
    case "note.added":
    case "note.expired":
      return undefined;
    default:
      if (!isVendorEvent(event)) return unreachable(event);
      return { type: event.type, content: event.content };
  }
}

/** How a run that was handed to ended, as a tool ends. */
function asTool({ status, durationMs }: Pick<ActionSettlement, "status" | "durationMs">) {
  return { action: "tool", status, durationMs } as const;
}

function readClaim(
  content: ContentOf<"action.claimed">,
  atMs: number,
  { atMs: begunMs, children }: Begun,
): Said {
  begunMs.set(content.key, atMs);
  if (content.action !== "handoff") return claimed(content);
  if (content.item === undefined) return invoked(HANDOFF_TOOL);
  children.set(content.key, content.child);
  return startItem(content, content.item);
}

/** An item that is a run of its own is a child of the call that it is an item for. */
function startItem(
  { child, target }: Pick<ClaimedHandoff, "child" | "target">,
  { path, index }: HandedItem,
): Said {
  const content = { child, loop: target, step: index, path: `${path}/items/${index}` };
  return { type: "child.started", content };
}

function endItem(child: string | undefined, status: SettledStatus): Said {
  return {
    type: "child.completed",
    content: { child: child ?? "", status: status === "ok" ? "ok" : "error" },
  };
}

function invoked(tool: string): Said {
  return claimed({ action: "tool", tool });
}

function claimed(content: ActionClaimed["content"]): Said {
  return { type: "action.claimed", content };
}

function settled(content: ActionSettled["content"]): Said {
  return { type: "action.settled", content };
}
