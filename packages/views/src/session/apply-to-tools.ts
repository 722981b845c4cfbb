/**
 * The life of a tool call in a session: asked for, shown when it is about to be executed or needs a
 * person, and ended by exactly one result or error.
 *
 * 1. The calls of one answer are shown together and in the order of the answer, when the first of
 *    them advances. A call is shown again when more becomes known: the later one replaces the
 *    earlier.
 * 2. A call that is never executed, such as that of an unknown tool, ends with its result for the
 *    model, or with the prompt that asked for it.
 */
import {
  type BlobRef,
  type ClaimOf,
  type ContentOf,
  cutReason,
  DECLINED,
  type EventOf,
  isClaimOf,
  isSettledOf,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  unreachable,
} from "@turnseal/protocol";
import type { Applied, ReadContent } from "./applied.ts";
import { endTool, replaceTool, showTool, withdrawTools } from "./change-tools.ts";
import { describeChild } from "./describe-child.ts";
import { describeError, describeResult } from "./describe-tool.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import { findItem, isByKey, listWithdrawn, noteFanOut, noteItemRun, noteSpot } from "./fan-outs.ts";
import { emptyTool, isWithin, type OpenTool, type SessionState } from "./session-state.ts";
import { textOf } from "./text-of.ts";
import { applyChoice, openApproval } from "./tool-approval.ts";

/** Applies all events of tool calls. */
export function applyToTools(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  switch (event.type) {
    case "child.started":
      return showServed(serve(noteSpot(state, event), event), event);
    case "fanout.fixed":
      return { state: noteFanOut(state, event), drafts: [] };
    case "item.closed":
      return endItem(state, event);
    case "group.closed":
      // The group was not committed.
      return withdrawTools(state, state.tools.filter(isByKey), "CANCELLED");
    case "action.claimed":
      // A held action may never happen: it is shown when it does.
      if ("held" in event.content) return { state, drafts: [] };
      return isClaimOf("model", event)
        ? claimModel(state, event, read)
        : beginTool(state, event, read);
    case "question.asked":
      // A wait of a flow is no tool, and asks nobody.
      return event.content.to === "signal" ? { state, drafts: [] } : beginTool(state, event, read);
    case "approval.requested":
      return beginTool(state, event, read);
    case "approval.decided":
      return decide(state, event);
    case "question.answered":
      return event.content.signal === undefined
        ? answer(state, event, read)
        : { state, drafts: [] };
    case "action.settled":
    case "action.resolved":
      return settle(state, event, read);
    case "cache.hit":
      return recall(state, event);
    case "call.completed":
    case "call.errored":
      return endCall(state, event, read);
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
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "child.completed":
    case "step.retried":
    case "step.skipped":
    case "action.unknown":
    case "approval.expired":
    case "plan.proposed":
    case "plan.decided":
    case "plan.closed":
    case "note.added":
    case "note.expired":
    case "drift.reconciled":
    case "artifact.adopted":
    case "log":
      return { state, drafts: [] };
    default:
      return isVendorEvent(event) ? { state, drafts: [] } : unreachable(event);
  }
}

/** Open calls of an item end with the item. */
function endItem(state: SessionState, event: EventOf<"item.closed">): Applied {
  const { status, code } = event.content;
  const open = listWithdrawn(state, event);
  if (status === "withdrawn") return withdrawTools(state, open, "CANCELLED");
  // Items with a run of their own that was not started.
  const runs = open.filter(isByKey);
  return withdrawTools(state, runs, code ?? "CANCELLED");
}

/** A call has begun to serve what a prompt asked for. */
function serve(state: SessionState, { call, content }: EventOf<"child.started">): SessionState {
  const { child, step } = content;
  const served = state.tools.find(
    (tool) => tool.asker === call && tool.call === null && tool.index === step,
  );
  return served === undefined ? state : replaceTool(state, { ...served, call: child });
}

/** A call that is a loop of its own has begun when it calls others, or asks its model. */
function showServed(state: SessionState, { call }: LoopEvent): Applied {
  const tool = state.tools.find((each) => each.call === call);
  return tool === undefined || tool.isShown ? { state, drafts: [] } : showTool(state, tool);
}

function claimModel(before: SessionState, event: ClaimOf<"model">, read: ReadContent): Applied {
  const served = showServed(before, event);
  const told = endTold(served.state, event, read);
  return { state: told.state, drafts: [...served.drafts, ...told.drafts] };
}

type BeginEvent = EventOf<"action.claimed" | "approval.requested" | "question.asked">;

/** Begins a tool call: it is about to be executed, or a person must approve or answer. */
function beginTool(earlier: SessionState, event: BeginEvent, read: ReadContent): Applied {
  const { call, content, at } = event;
  if (isWithin(earlier, call, earlier.filters)) return { state: earlier, drafts: [] };
  const before = noteItemRun(earlier, event);
  // A composite's approval for its group belongs to the group, and not to the composite.
  const hasNoCall = before !== earlier || "group" in content;
  const own = hasNoCall ? content.key : call;
  const known = before.tools.find((tool) => tool.call === own);
  const tool = known ?? { ...bare(event, own), ...findItem(before, own) };
  const state = known === undefined ? { ...before, tools: [...before.tools, tool] } : before;
  const { key } = content;
  const isAsked = event.type === "approval.requested";
  const begun: OpenTool = {
    ...tool,
    key,
    readOnly: event.type === "question.asked" || event.content.effect === "read",
    claimedAt: event.type === "action.claimed" ? at : tool.claimedAt,
    ...(known === undefined || isAsked ? { args: read(requestOf(event)) } : {}),
    ...(isAsked ? { approval: openApproval(event, tool, read) } : {}),
  };
  // An action that is claimed again, or after it was approved, is no news.
  const isNews = !tool.isShown || tool.key !== key || isAsked;
  return isNews
    ? showTool(replaceTool(state, begun), begun)
    : { state: replaceTool(state, begun), drafts: [] };
}

/** The input of a tool; a model gets a conversation. */
function requestOf({ content }: BeginEvent): BlobRef | undefined {
  return "request" in content ? content.request : undefined;
}

/** A tool that no model asked for: it goes by the name of the call. */
function bare(event: BeginEvent, call: string): OpenTool {
  const toolName = event.type === "question.asked" ? event.content.loop : nameAction(event.content);
  return { ...emptyTool, toolCallId: call, toolName, args: undefined, call };
}

function decide(
  state: SessionState,
  { content: { approval: sequence, choice, reason }, actor }: EventOf<"approval.decided">,
): Applied {
  const tool = state.tools.find(({ approval }) => approval?.sequence === sequence);
  // Edited arguments make a new request, which is shown then.
  if (tool === undefined || tool.approval === null || choice === "edit")
    return { state, drafts: [] };
  const approval = applyChoice(tool.approval, choice, actor.id);
  const decided: OpenTool = {
    ...tool,
    approval,
    ...(choice === "reject" ? { reason: reason ?? null } : {}),
  };
  return approval.status === "pending_approval"
    ? { state: replaceTool(state, decided), drafts: [] }
    : showTool(replaceTool(state, decided), decided);
}

function answer(
  state: SessionState,
  { content: { answer: result }, actor, call }: EventOf<"question.answered">,
  read: ReadContent,
): Applied {
  const tool = state.tools.find((each) => each.call === call);
  const next = tool === undefined ? state : replaceTool(state, { ...tool, result });
  if (actor.kind !== "agent") return { state: next, drafts: [] };
  const said = read(result);
  const draft: EnvelopeDraft =
    said === undefined
      ? { type: "other-agent-message", content: { text: "" }, erased: true }
      : { type: "other-agent-message", content: { text: textOf(said) } };
  return { state: next, drafts: [draft] };
}

/**
 * A cached call is not executed: its result is known at once. A call that no model asked for is not
 * shown.
 */
function recall(state: SessionState, { call, content }: EventOf<"cache.hit">): Applied {
  const tool = state.tools.find((each) => each.call === call);
  if (tool === undefined) return { state, drafts: [] };
  const given: OpenTool = { ...tool, result: content.result };
  return tool.isShown
    ? { state: replaceTool(state, given), drafts: [] }
    : showTool(replaceTool(state, given), given);
}

type EndEvent = EventOf<"action.settled" | "action.resolved">;

/** A result is kept until its call has ended: the call may still refuse it. */
function settle(state: SessionState, event: EndEvent, read: ReadContent): Applied {
  const run = state.tools.find((each) => isByKey(each) && each.key === event.content.key);
  const tool = run ?? state.tools.find((each) => each.call === event.call);
  if (tool === undefined) return { state, drafts: [] };
  const settled: OpenTool = { ...tool, ...given(event) };
  // A run that could not be started has not ended either.
  const isChild = isSettledOf("handoff", event) && event.content.undelivered === undefined;
  const drafts = isChild ? [describeChild(settled, event, read)] : [];
  if (run === undefined) return { state: replaceTool(state, settled), drafts };
  // No call of its own says how it ended.
  const end =
    settled.result === null
      ? describeError(settled, { error: "CHILD_FAILED" })
      : describeResult(settled, read);
  const ended = endTool(state, settled, end);
  return { state: ended.state, drafts: [...drafts, ...ended.drafts] };
}

function given(event: EndEvent): Pick<OpenTool, "result" | "output" | "reason"> {
  const { result = null } = event.content;
  if (event.type === "action.resolved") return { result, output: null, reason: null };
  const { reason = null } = event.content;
  const { output = null } = event.content.action === "tool" ? event.content : {};
  return { result, output, reason };
}

/** The end of a call ends the tool call that it serves, and its own tool calls. */
function endCall(
  state: SessionState,
  event: EventOf<"call.completed" | "call.errored">,
  read: ReadContent,
): Applied {
  const { call } = event;
  const failure = event.type === "call.errored" ? event.content : undefined;
  const left = state.tools.filter(({ asker }) => asker === call);
  const error = failure?.code ?? "CANCELLED";
  const drafts: EnvelopeDraft[] = left
    .filter(({ isShown }) => isShown)
    .map((tool) => describeError(tool, { error }, failure?.details.denial));
  const kept = { ...state, tools: state.tools.filter((tool) => !left.includes(tool)) };
  const tool = kept.tools.find((each) => each.call === call);
  if (tool === undefined) return { state: kept, drafts };
  if (failure === undefined && tool.result === null)
    // A loop of several steps gave it: its result is recorded with the next model request.
    return { state: replaceTool(kept, { ...tool, isCompleted: true }), drafts };
  if (failure !== undefined && tool.hasChildren) return { state: kept, drafts };
  const end = failure === undefined ? describeResult(tool, read) : failed(tool, failure, read);
  const ended = endTool(kept, tool, end);
  return { state: ended.state, drafts: [...drafts, ...ended.drafts] };
}

function failed(
  tool: OpenTool,
  { code, details: { problems = [], denial } }: ContentOf<"call.errored">,
  read: ReadContent,
): EnvelopeDraft {
  const words = tool.reason === null ? undefined : read(tool.reason);
  const isRejected = denial === DECLINED;
  const reason = isRejected && typeof words === "string" ? cutReason(words) : words;
  const told = {
    ...{ error: code, problems },
    ...(isRejected ? { denial } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
  const isErased = tool.reason !== null && reason === undefined;
  return { ...describeError(tool, told, denial), ...(isErased ? { erased: true as const } : {}) };
}

/** Ends the open calls whose results the model gets. */
function endTold(before: SessionState, event: ClaimOf<"model">, read: ReadContent): Applied {
  const told = event.content.context.added.filter(({ role }) => role === "tool");
  let state = before;
  const drafts: EnvelopeDraft[] = [];
  for (const tool of before.tools.filter(({ asker }) => asker === event.call)) {
    const item = told[tool.index]?.toolCallId === tool.givenId ? told[tool.index] : undefined;
    const value = read(item);
    const end = tool.isCompleted
      ? describeResult(tool, read, item)
      : describeError(tool, value ?? null);
    const ended = endTool(state, tool, end);
    state = ended.state;
    drafts.push(...ended.drafts);
  }
  return { state, drafts };
}
