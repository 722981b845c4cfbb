/**
 * The life of a tool call in a session: asked for, shown when it is about to be executed or a
 * person is asked, and ended by exactly one result or error.
 *
 * 1. The calls of one answer are shown together and in the order of the answer, when the first of
 *    them gets anywhere. One of which more becomes known is shown again: the later takes the place
 *    of the earlier.
 * 2. A call that nobody executes, such as that of an unknown tool, ends with what the model is told
 *    of it, or with the prompt that asked for it.
 */
import type { JsonObject, JsonValue, LoopEvent } from "@turnseal/protocol";
import { formatGenerationId } from "@turnseal/protocol/events";
import type { Applied, ReadContent } from "./applied.ts";
import { describeCall, describeError, describeResult } from "./describe-tool.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import {
  emptyTool,
  isWithin,
  type OpenTool,
  type SessionState,
  type ToolApproval,
} from "./session-state.ts";
import { textOf } from "./text-of.ts";

/** Applies whatever happens to tool calls. */
export function applyToTools(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { content } = event;
  switch (event.type) {
    case "child.started":
      return showServed(serve(state, event), event);
    case "action.claimed":
      return content["action"] === "model"
        ? claimModel(state, event, read)
        : beginTool(state, event, read);
    case "question.asked":
    case "approval.requested":
      return beginTool(state, event, read);
    case "approval.decided":
      return decide(state, event);
    case "question.answered":
      return answer(state, event, read);
    case "action.settled":
    case "action.resolved":
      return settle(state, event, read);
    case "call.completed":
    case "call.errored":
      return endCall(state, event, read);
    default:
      return { state, drafts: [] };
  }
}

/** A call has begun to serve what a prompt asked for. */
function serve(state: SessionState, { call = "", content }: LoopEvent): SessionState {
  const { child, step } = content;
  const served = state.tools.find(
    (tool) => tool.asker === call && tool.call === null && tool.index === step,
  );
  return served === undefined ? state : replace(state, { ...served, call: String(child) });
}

/** A call that is a loop of its own has begun when it calls others, or asks its model. */
function showServed(state: SessionState, { call }: LoopEvent): Applied {
  const tool = state.tools.find((each) => each.call === call);
  return tool === undefined || tool.isShown ? { state, drafts: [] } : show(state, tool);
}

function claimModel(before: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const served = showServed(before, event);
  const told = endTold(served.state, event, read);
  return { state: told.state, drafts: [...served.drafts, ...told.drafts] };
}

/** It is about to be executed, or somebody is asked whether it may be, or to answer it. */
function beginTool(before: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { call = "", content, type, at } = event;
  if (isWithin(before, call, before.filters)) return { state: before, drafts: [] };
  const known = before.tools.find((tool) => tool.call === call);
  const state = known === undefined ? { ...before, tools: [...before.tools, bare(event)] } : before;
  const tool = known ?? bare(event);
  const key = String(content["key"]);
  const isAsked = type === "approval.requested";
  const begun: OpenTool = {
    ...tool,
    key,
    readOnly: type === "question.asked" || content["effect"] === "read",
    claimedAt: type === "action.claimed" ? at : tool.claimedAt,
    ...(known === undefined || isAsked ? { args: read(content["request"]) } : {}),
    ...(isAsked ? { approval: openApproval(event, tool, read) } : {}),
  };
  // An action that is claimed again, or after it was approved, is no news.
  const isNews = !tool.isShown || tool.key !== key || isAsked;
  return isNews ? show(replace(state, begun), begun) : { state: replace(state, begun), drafts: [] };
}

/** A tool that no model asked for: it goes by the name of the call. */
function bare({ call = "", content }: LoopEvent): OpenTool {
  const { tool, target, loop } = content;
  const toolName = String(tool ?? target ?? loop);
  return { ...emptyTool, toolCallId: call, toolName, args: undefined, call };
}

function openApproval(event: LoopEvent, tool: OpenTool, read: ReadContent): ToolApproval {
  const { content, sequence } = event;
  const { description, approvers } = content;
  const written = read(description);
  return {
    status: "pending_approval",
    description: typeof written === "string" ? written : `Run ${tool.toolName}?`,
    sequence,
    missing: Number(approvers ?? 1),
  };
}

function decide(state: SessionState, { content }: LoopEvent): Applied {
  const tool = state.tools.find(({ approval }) => approval?.sequence === content["approval"]);
  if (tool?.approval === null || tool === undefined) return { state, drafts: [] };
  const { choice } = content;
  // Other arguments are asked for anew, and shown then.
  if (choice !== "approve" && choice !== "reject") return { state, drafts: [] };
  const missing = choice === "approve" ? tool.approval.missing - 1 : 0;
  const status =
    choice === "reject" ? "rejected" : missing > 0 ? ("pending_approval" as const) : "approved";
  const decided: OpenTool = { ...tool, approval: { ...tool.approval, status, missing } };
  return status === "pending_approval"
    ? { state: replace(state, decided), drafts: [] }
    : show(replace(state, decided), decided);
}

function answer(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { content, actor, call } = event;
  const result = content["answer"] ?? null;
  const tool = state.tools.find((each) => each.call === call);
  const next = tool === undefined ? state : replace(state, { ...tool, result });
  if (actor.kind !== "agent") return { state: next, drafts: [] };
  const said = read(result);
  const draft: EnvelopeDraft =
    said === undefined
      ? { type: "other-agent-message", content: { text: "" }, erased: true }
      : { type: "other-agent-message", content: { text: textOf(said) } };
  return { state: next, drafts: [draft] };
}

/** What an action gave is kept until its call has ended: the call may still refuse it. */
function settle(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { content, call } = event;
  const tool = state.tools.find((each) => each.call === call);
  if (tool === undefined) return { state, drafts: [] };
  const { result = null, output = null, reason = null } = content;
  const settled: OpenTool = {
    ...tool,
    result,
    output,
    reason,
  };
  // One that could not be started has not ended either.
  const isChild = content["action"] === "handoff" && content["undelivered"] === undefined;
  const drafts = isChild ? [describeChild(settled, event, read)] : [];
  return { state: replace(state, settled), drafts };
}

function describeChild(tool: OpenTool, event: LoopEvent, read: ReadContent): EnvelopeDraft {
  const { run, turn = 0, at, actor, content } = event;
  const result = tool.result === null ? undefined : read(tool.result);
  const isErased = tool.args === undefined || (tool.result !== null && result === undefined);
  return {
    type: "child-generation",
    content: {
      item: tool.args ?? null,
      index: tool.index,
      total: tool.total,
      durationMs: Math.max(0, Date.parse(at) - Date.parse(tool.claimedAt ?? at)),
      parentGenerationId: formatGenerationId(run, turn),
      childGenerationId: formatGenerationId(actor.id, Number(content["turns"] ?? 1)),
      outcome: String(content["stopped"]),
      ...(result === undefined ? {} : { result }),
    },
    ...(isErased ? { erased: true as const } : {}),
  };
}

/** The end of a call ends the tool call that it serves, and those that it asked for itself. */
function endCall(state: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const { type, call, content } = event;
  const left = state.tools.filter(({ asker }) => asker === call);
  const code = type === "call.errored" ? String(content["code"]) : "CANCELLED";
  const drafts: EnvelopeDraft[] = left
    .filter(({ isShown }) => isShown)
    .map((tool) => describeError(tool, { error: code }, event));
  const kept = { ...state, tools: state.tools.filter((tool) => !left.includes(tool)) };
  const tool = kept.tools.find((each) => each.call === call);
  if (tool === undefined) return { state: kept, drafts };
  if (type === "call.completed" && tool.result === null)
    // A loop of several steps gave it: what it gave is recorded when the model is told.
    return { state: replace(kept, { ...tool, isCompleted: true }), drafts };
  if (type === "call.errored" && tool.hasChildren) return { state: kept, drafts };
  const end = type === "call.completed" ? describeResult(tool, read) : failed(tool, event, read);
  const ended = endTool(kept, tool, end);
  return { state: ended.state, drafts: [...drafts, ...ended.drafts] };
}

function failed(tool: OpenTool, event: LoopEvent, read: ReadContent): EnvelopeDraft {
  const { code, details } = event.content;
  const problems = (details as { problems?: JsonValue } | undefined)?.problems ?? [];
  const reason = tool.reason === null ? undefined : read(tool.reason);
  const told = { error: String(code), problems, ...(reason === undefined ? {} : { reason }) };
  const isErased = tool.reason !== null && reason === undefined;
  return { ...describeError(tool, told, event), ...(isErased ? { erased: true as const } : {}) };
}

/** What the model is told of its calls ends those that have not ended. */
function endTold(before: SessionState, event: LoopEvent, read: ReadContent): Applied {
  const context = event.content["context"] as { readonly added?: readonly JsonObject[] } | null;
  const told = (context?.added ?? []).filter(({ role }) => role === "tool");
  let state = before;
  const drafts: EnvelopeDraft[] = [];
  for (const tool of before.tools.filter(({ asker }) => asker === event.call)) {
    const item = told[tool.index]?.["toolCallId"] === tool.givenId ? told[tool.index] : undefined;
    const value = read(item);
    const end = tool.isCompleted
      ? describeResult(tool, read, item)
      : describeError(tool, value ?? null, event);
    const ended = endTool(state, tool, end);
    state = ended.state;
    drafts.push(...ended.drafts);
  }
  return { state, drafts };
}

/** Shows a call, and those of the same answer that nobody has seen yet. */
function show(state: SessionState, shown: OpenTool): Applied {
  const isDue = (tool: OpenTool): boolean =>
    tool === shown || (!tool.isShown && tool.asker !== null && tool.asker === shown.asker);
  const tools = state.tools.map((tool) => (isDue(tool) ? { ...tool, isShown: true } : tool));
  return { state: { ...state, tools }, drafts: state.tools.filter(isDue).map(describeCall) };
}

function endTool(state: SessionState, tool: OpenTool, end: EnvelopeDraft): Applied {
  const shown = tool.isShown ? { state, drafts: [] } : show(state, tool);
  const tools = shown.state.tools.filter(({ toolCallId }) => toolCallId !== tool.toolCallId);
  return { state: { ...shown.state, tools }, drafts: [...shown.drafts, end] };
}

function replace(state: SessionState, by: OpenTool): SessionState {
  const tools = state.tools.map((tool) => (tool.toolCallId === by.toolCallId ? by : tool));
  return { ...state, tools };
}
