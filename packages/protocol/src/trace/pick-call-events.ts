/**
 * What the log of a run says of its calls, as a call outside a run would have said it
 * (spec/events.md §5.4).
 *
 * 1. Another run, and a question to somebody, are tools to the call that waits for them.
 * 2. What is resolved as having happened has returned.
 * 3. The order is that of the log, and nothing is looked at but events.
 */
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import { isVendorEventType } from "../events/event-types.ts";
import type { RawEvent } from "../log/raw-event.ts";
import type { CallEvent } from "./call-event.ts";

const callTypes: ReadonlySet<string> = new Set([
  ...["call.started", "call.input.validated", "call.output.validated"],
  ...["call.completed", "call.errored", "child.started", "child.completed", "log"],
]);

/** What an event of a log has beside its content: a log keeps it apart, and may have erased it. */
export type ReadAttached = (event: RawEvent) => Readonly<Record<string, JsonValue>> | undefined;

/** The events of a run that are about its calls, without their place in the log. */
export function pickCallEvents(
  events: readonly RawEvent[],
  readAttached: ReadAttached = () => undefined,
): CallEvent[] {
  const begunMs = new Map<unknown, number>();
  return events.flatMap((event) => {
    const { at, call, parentCall } = event;
    const said = call === undefined ? undefined : readEvent(event, begunMs);
    if (said === undefined) return [];
    const attached = readAttached(event);
    const picked = {
      ...{ ...said, at, call },
      ...(parentCall === undefined ? {} : { parentCall }),
      ...(attached === undefined ? {} : { attached }),
    };
    // Whoever wrote the log made the content of an event for its type.
    return [picked as unknown as CallEvent];
  });
}

interface Said {
  readonly type: string;
  readonly content: JsonObject;
}

/** `begunMs` has the times of what was begun, by its key. */
function readEvent(event: RawEvent, begunMs: Map<unknown, number>): Said | undefined {
  const { type, at, content } = event;
  const key = content["key"];
  const atMs = Date.parse(at);
  const returned = (): Said => ({
    type: "action.settled",
    content: { action: "tool", status: "ok", durationMs: atMs - (begunMs.get(key) ?? atMs) },
  });
  switch (type) {
    case "action.claimed":
      begunMs.set(key, atMs);
      return content["action"] === "handoff" ? invoked("turnseal.handoff") : { type, content };
    case "question.asked":
      begunMs.set(key, atMs);
      return invoked("turnseal.question");
    case "action.settled":
      return content["action"] === "handoff" && content["status"] === "ok"
        ? returned()
        : { type, content };
    case "question.answered":
      return returned();
    case "action.resolved":
      return content["resolution"] === "happened" ? returned() : undefined;
    default:
      return callTypes.has(type) || isVendorEventType(type) ? { type, content } : undefined;
  }
}

function invoked(tool: string): Said {
  return { type: "action.claimed", content: { action: "tool", tool } };
}
