/**
 * The session as a fold of the log: the effect of one more event on the shown conversation
 * (spec/session.md).
 *
 * 1. It is pure. It reads content by reference; erased content is undefined, and shows as erased.
 * 2. Its output depends on the events of the same turn alone.
 */
import {
  type ContentOf,
  type EventOf,
  isClaimOf,
  isSettledOf,
  isVendorEvent,
  type JsonValue,
  type LoopEvent,
  unreachable,
} from "@turnseal/protocol";
import {
  type EventEnvelope,
  type EventEnvelopeOf,
  formatGenerationId,
} from "@turnseal/protocol/events";
import { listFiles } from "@turnseal/protocol/files";
import { MESSAGE_SIGNAL } from "../message-signal.ts";
import { describeFailure } from "../run/describe-cause.ts";
import type { Applied, ReadContent } from "./applied.ts";
import { applyAnswer } from "./apply-answer.ts";
import { applyToTools } from "./apply-to-tools.ts";
import { type EnvelopeDraft, markErased, placeEnvelopes } from "./envelope-draft.ts";
import { emptySession, type SessionState, type Standing } from "./session-state.ts";
import { forgetSummarized, noteSummarized, tellSummarized } from "./summarized.ts";
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

function standingAfter(event: LoopEvent): Standing {
  if (event.type === "run.stopped" || event.type === "run.resolved") return "stopped";
  const isWaiting = event.type === "run.decided" && event.content.decision === "wait";
  return isWaiting || event.type === "turn.waiting" ? "waiting" : "moving";
}

function apply(before: SessionState, event: LoopEvent, read: ReadContent): Applied {
  switch (event.type) {
    case "run.started":
      return say(before, describeStart(event.content, read));
    case "signal.received":
      return applySignal(before, event, read);
    case "turn.started":
      return say({ ...emptySession(before.run), turn: event.turn, isOpen: true });
    case "turn.closed":
      return closeTurn(before, event.content, read);
    case "run.stopped":
      // An open turn of a stopped run has no worker that would close it.
      return before.isOpen
        ? closeTurn(before, { outcome: "failed", reason: event.content.reason }, read)
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
      return applyToTools(noteSummarized(hideFiltered(before, event), event), event, read);
    case "action.settled":
      return isSettledOf("model", event) && event.content.status === "ok"
        ? applyAnswer({ ...before, providerFailure: null }, event, read)
        : applyToTools({ ...before, providerFailure: failureOf(event) }, event, read);
    case "cache.hit":
      return applyToTools(hideRecalled(before, event), event, read);
    case "run.decided":
    case "run.blocked":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
    case "call.input.validated":
    case "call.output.validated":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
    case "action.unknown":
    case "action.resolved":
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
      return applyToTools(before, event, read);
    case "run.resolved":
      // A session ends with its run.
      return say(before);
    default:
      return isVendorEvent(event) ? say(before) : unreachable(event);
  }
}

function say(state: SessionState, ...drafts: readonly EnvelopeDraft[]): Applied {
  return { state, drafts };
}

function describeStart(content: ContentOf<"run.started">, read: ReadContent): EnvelopeDraft {
  const { source, spec } = content;
  const input = read(content.input);
  const text = input === undefined ? "" : textOf(input);
  const erased = markErased(input === undefined);
  const { parent } = spec;
  if (parent === undefined && source !== undefined)
    return { type: "trigger", content: describeTrigger(source, input), ...erased };
  if (parent === undefined)
    return { type: "user-message", content: { text, ...filesIn(input) }, ...erased };
  return {
    type: "loop-triggered",
    content: {
      triggeredBy: parent.run,
      parentGenerationId: formatGenerationId(parent.run, parent.turn),
      ...(input === undefined ? {} : { instructions: text }),
    },
    ...erased,
  };
}

/** The files that somebody gave with their words. */
function filesIn(
  value: JsonValue | undefined,
): Pick<EventEnvelopeOf<"user-message">["content"], "files"> {
  const files = value === undefined ? [] : listFiles(value);
  return files.length === 0 ? {} : { files };
}

function applySignal(
  state: SessionState,
  { content: signal, turn }: EventOf<"signal.received">,
  read: ReadContent,
): Applied {
  if (signal.kind === "cancel") return abort(state, turn);
  if (signal.kind !== "signal") return say(state);
  const { name } = signal;
  const payload = read(signal.payload);
  const erased = markErased(payload === undefined);
  if (name === MESSAGE_SIGNAL) {
    const text = payload === undefined ? "" : textOf(payload);
    const content = { text, ...filesIn(payload) };
    return say(state, { type: "user-message", content, ...erased });
  }
  const content = describeTrigger(name, payload);
  return say(state, { type: "trigger", content, ...erased });
}

function describeTrigger(
  triggerName: string,
  payload: JsonValue | undefined,
): EventEnvelopeOf<"trigger">["content"] {
  return payload === undefined ? { triggerName } : { triggerName, payload };
}

/** Between turns it is about the latest: the person who stopped it was looking at that one. */
function abort(state: SessionState, turn: number | undefined): Applied {
  const generationId = formatGenerationId(state.run, turn ?? Math.max(state.turn, 1));
  const isAborted = state.isAborted || state.isOpen;
  return say({ ...state, isAborted }, { type: "user-abort", content: { generationId } });
}

interface TurnEnd extends Pick<ContentOf<"turn.closed">, "outcome" | "output"> {
  readonly reason?: string;
}

function closeTurn(state: SessionState, end: TurnEnd, read: ReadContent): Applied {
  const { outcome, reason } = end;
  const closed: SessionState = { ...emptySession(state.run), turn: state.turn };
  if (outcome === "completed") return say(closed, ...describeFiltered(state, end, read));
  if (outcome === "cancelled" && state.isAborted) return say(closed);
  const error = state.failure ?? (reason === undefined ? outcome : `${outcome}: ${reason}`);
  const why = describeFailure(state.providerFailure ?? "");
  const told = why === undefined ? error : `${error} (${why.words}; ${why.next})`;
  return say(closed, { type: "generation-failure", content: { error: told } });
}

/** The class of a model's failure. Any other settlement clears it. */
function failureOf({ content }: EventOf<"action.settled">): string | null {
  if (content.action !== "model") return null;
  return content.status === "timed-out" ? "TIMEOUT" : (content.failure ?? null);
}

/** Filtered output is shown once the filters have passed it, in its final form. */
function describeFiltered(
  state: SessionState,
  { output: reference }: TurnEnd,
  read: ReadContent,
): readonly EnvelopeDraft[] {
  if (!state.isRootFiltered || state.isAborted) return [];
  const output = read(reference);
  const text = output === undefined ? "" : textOf(output);
  const erased = markErased(output === undefined);
  const message = { type: "assistant-message", content: { text }, ...erased } as const;
  // Calls within the turn have ended and are forgotten: what is left is its own.
  const [root = ""] = state.summarized.keys();
  return output === undefined ? [message] : tellSummarized(state, root, [message]).drafts;
}

function hideFilter(
  state: SessionState,
  { child, filter, summary }: ContentOf<"child.started">,
): SessionState {
  if (filter === undefined && summary === undefined) return state;
  return { ...state, filters: new Set(state.filters).add(child) };
}

function hideFiltered(state: SessionState, event: EventOf<"action.claimed">): SessionState {
  const { call, parentCall } = event;
  if (!isClaimOf("model", event) || event.content.filtered !== true) return state;
  const isRootFiltered = state.isRootFiltered || parentCall === undefined;
  return { ...state, isRootFiltered, filtered: new Set(state.filtered).add(call) };
}

/** A cached answer is shown when the turn returns it. */
function hideRecalled(state: SessionState, { parentCall }: EventOf<"cache.hit">): SessionState {
  return parentCall === undefined ? { ...state, isRootFiltered: true } : state;
}

function openCall(
  state: SessionState,
  { call, parentCall }: EventOf<"call.started">,
): SessionState {
  const callers = new Map(state.callers).set(call, parentCall ?? null);
  const tools = state.tools.map((tool) =>
    tool.call !== null && tool.call === parentCall ? { ...tool, hasChildren: true } : tool,
  );
  return { ...state, callers, tools };
}

function closeCall(
  state: SessionState,
  event: EventOf<"call.completed" | "call.errored">,
): SessionState {
  const { call, parentCall } = event;
  const callers = new Map(state.callers);
  callers.delete(call);
  const isFailedRoot = event.type === "call.errored" && parentCall === undefined;
  const failure = isFailedRoot ? `${event.content.code}: ${event.content.message}` : state.failure;
  const left = parentCall === undefined ? state : forgetSummarized(state, call);
  return { ...left, callers, failure };
}
