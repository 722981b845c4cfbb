/** Shows tool calls of a session, changes their state, and ends them. */
import type { Applied } from "./applied.ts";
import { describeCall, describeError } from "./describe-tool.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import type { OpenTool, SessionState } from "./session-state.ts";

/** Shows a call, and those of the same answer that nobody has seen yet. */
export function showTool(state: SessionState, shown: OpenTool): Applied {
  const isDue = (tool: OpenTool): boolean =>
    tool === shown || (!tool.isShown && tool.asker !== null && tool.asker === shown.asker);
  const tools = state.tools.map((tool) => (isDue(tool) ? { ...tool, isShown: true } : tool));
  return { state: { ...state, tools }, drafts: state.tools.filter(isDue).map(describeCall) };
}

export function endTool(state: SessionState, tool: OpenTool, end: EnvelopeDraft): Applied {
  const shown = tool.isShown ? { state, drafts: [] } : showTool(state, tool);
  const tools = shown.state.tools.filter(({ toolCallId }) => toolCallId !== tool.toolCallId);
  return { state: { ...shown.state, tools }, drafts: [...shown.drafts, end] };
}

export function replaceTool(state: SessionState, by: OpenTool): SessionState {
  const tools = state.tools.map((tool) => (tool.toolCallId === by.toolCallId ? by : tool));
  return { ...state, tools };
}

/** Ends calls of an item that was withdrawn or never started: they have no other end. */
export function withdrawTools(
  before: SessionState,
  tools: readonly OpenTool[],
  error: string,
): Applied {
  let state = before;
  const drafts: EnvelopeDraft[] = [];
  for (const tool of tools) {
    const ended = endTool(state, tool, describeError(tool, { error }));
    state = ended.state;
    if (tool.isShown) drafts.push(...ended.drafts);
  }
  return { state, drafts };
}
