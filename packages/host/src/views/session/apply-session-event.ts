/**
 * The session as a fold of the log: what one more event means to whoever reads the conversation
 * (spec/session.md).
 *
 * 1. It is pure. Content is asked for by reference; what is erased is undefined, and shows as
 *    erased.
 * 2. What is said depends on the events of the same turn alone.
 */
import type { JsonObject, JsonValue, LoopEvent } from "@turnseal/protocol";
import {
  type EventEnvelope,
  type EventEnvelopeOf,
  formatGenerationId,
} from "@turnseal/protocol/events";
import type { Applied, ReadContent } from "./applied.ts";
import { applyAnswer } from "./apply-answer.ts";
import { applyToTools } from "./apply-to-tools.ts";
import { type EnvelopeDraft, markErased, placeEnvelopes } from "./envelope-draft.ts";
import { emptySession, type SessionState, type Standing } from "./session-state.ts";
import { textOf } from "./text-of.ts";

/** The state after one more event, and the envelopes that it gives. */
export function applySessionEvent(
  state: SessionState,
  event: LoopEvent,
  read: ReadContent,
): { readonly state: SessionState; readonly envelopes: readonly EventEnvelope[] } {
  const { state: applied, drafts } = apply(state, event, read);
  const next = { ...applied, standing: standingAfter(event) };
  return { state: next, envelopes: placeEnvelopes(drafts, event) };
}

function standingAfter({ type, content }: LoopEvent): Standing {
  if (type === "run.stopped") return "stopped";
  const isWaiting = type === "run.decided" && content["decision"] === "wait";
  return isWaiting || type === "turn.waiting" ? "waiting" : "moving";
}

function apply(before: SessionState, event: LoopEvent, read: ReadContent): Applied {
  switch (event.type) {
    case "run.started":
      return say(before, describeStart(event.content, read));
    case "signal.received":
      return applySignal(before, event, read);
    case "turn.started":
      return say({ ...emptySession(before.run), turn: event.turn ?? 0, isOpen: true });
    case "turn.closed":
      return closeTurn(before, event.content, read);
    case "run.stopped":
      // A turn that is open then has nobody who would close it.
      return before.isOpen
        ? closeTurn(before, { outcome: "failed", reason: String(event.content["reason"]) }, read)
        : say(before);
    case "call.started":
      return { state: openCall(before, event), drafts: [] };
    case "call.completed":
    case "call.errored": {
      const applied = applyToTools(before, event, read);
      return { ...applied, state: closeCall(applied.state, event) };
    }
    case "child.started":
      return applyToTools(hideFilter(before, event.content), event, read);
    case "action.claimed":
      return applyToTools(hideFiltered(before, event), event, read);
    case "action.settled":
      return event.content["action"] === "model" && event.content["status"] === "ok"
        ? applyAnswer(before, event, read)
        : applyToTools(before, event, read);
    default:
      return applyToTools(before, event, read);
  }
}

function say(state: SessionState, ...drafts: readonly EnvelopeDraft[]): Applied {
  return { state, drafts };
}

function describeStart(content: JsonObject, read: ReadContent): EnvelopeDraft {
  const { source } = content;
  const input = read(content["input"]);
  const text = input === undefined ? "" : textOf(input);
  const erased = markErased(input === undefined);
  const spec = content["spec"] as { readonly parent?: { run?: unknown; turn?: unknown } } | null;
  const parent = spec?.parent;
  if (parent === undefined && typeof source === "string")
    return { type: "trigger", content: describeTrigger(source, input), ...erased };
  if (parent === undefined) return { type: "user-message", content: { text }, ...erased };
  return {
    type: "loop-triggered",
    content: {
      triggeredBy: String(parent.run),
      parentGenerationId: formatGenerationId(String(parent.run), Number(parent.turn)),
      ...(input === undefined ? {} : { instructions: text }),
    },
    ...erased,
  };
}

/** The signal that is a person's message; every other is a trigger. */
const MESSAGE_SIGNAL = "message";

function applySignal(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { kind, name, payload: reference } = event.content;
  if (kind === "cancel") return abort(state, event);
  if (kind !== "signal") return say(state);
  const payload = read(reference);
  const erased = markErased(payload === undefined);
  if (name === MESSAGE_SIGNAL) {
    const text = payload === undefined ? "" : textOf(payload);
    return say(state, { type: "user-message", content: { text }, ...erased });
  }
  const content = describeTrigger(String(name), payload);
  return say(state, { type: "trigger", content, ...erased });
}

function describeTrigger(
  triggerName: string,
  payload: JsonValue | undefined,
): EventEnvelopeOf<"trigger">["content"] {
  return payload === undefined ? { triggerName } : { triggerName, payload };
}

/** Between turns it is about the latest: that is what whoever stopped it was looking at. */
function abort(state: SessionState, { turn }: LoopEvent): Applied {
  const generationId = formatGenerationId(state.run, turn ?? Math.max(state.turn, 1));
  const isAborted = state.isAborted || state.isOpen;
  return say({ ...state, isAborted }, { type: "user-abort", content: { generationId } });
}

function closeTurn(state: SessionState, content: JsonObject, read: ReadContent): Applied {
  const { outcome, reason } = content;
  const closed: SessionState = { ...emptySession(state.run), turn: state.turn };
  if (outcome === "completed") return say(closed, ...describeFiltered(state, content, read));
  if (outcome === "cancelled" && state.isAborted) return say(closed);
  const error =
    state.failure ?? (typeof reason === "string" ? `${String(outcome)}: ${reason}` : outcome);
  return say(closed, { type: "generation-failure", content: { error: String(error) } });
}

/** What filters have looked at is said when they have let it pass, as they have let it pass. */
function describeFiltered(
  { isRootFiltered, isAborted }: SessionState,
  { output: reference }: JsonObject,
  read: ReadContent,
): EnvelopeDraft[] {
  if (!isRootFiltered || isAborted) return [];
  const output = read(reference);
  const text = output === undefined ? "" : textOf(output);
  const erased = markErased(output === undefined);
  return [{ type: "assistant-message", content: { text }, ...erased }];
}

function hideFilter(state: SessionState, { child, filter }: JsonObject): SessionState {
  if (filter === undefined) return state;
  return { ...state, filters: new Set(state.filters).add(String(child)) };
}

function hideFiltered(state: SessionState, event: LoopEvent): SessionState {
  const { call = "", parentCall, content } = event;
  if (content["filtered"] !== true) return state;
  const isRootFiltered = state.isRootFiltered || parentCall === undefined;
  return { ...state, isRootFiltered, filtered: new Set(state.filtered).add(call) };
}

function openCall(state: SessionState, { call = "", parentCall }: LoopEvent): SessionState {
  const callers = new Map(state.callers).set(call, parentCall ?? null);
  const tools = state.tools.map((tool) =>
    tool.call !== null && tool.call === parentCall ? { ...tool, hasChildren: true } : tool,
  );
  return { ...state, callers, tools };
}

function closeCall(state: SessionState, event: LoopEvent): SessionState {
  const { type, call = "", parentCall, content } = event;
  const callers = new Map(state.callers);
  callers.delete(call);
  const isFailedRoot = type === "call.errored" && parentCall === undefined;
  const failure = isFailedRoot
    ? `${String(content["code"])}: ${String(content["message"])}`
    : state.failure;
  return { ...state, callers, failure };
}
