/**
 * The items that a session must show, by its envelopes in the order of the log: a second opinion,
 * which shares no code with the client's own fold.
 */
import type { SessionItem } from "@turnseal/client";
import type { EventEnvelope } from "@turnseal/protocol/events";

/** The items with their fields in one order and without absent ones. */
export function expectItems(events: readonly EventEnvelope[]): unknown[] {
  const items: Record<string, unknown>[] = [];
  const tools = new Map<string, Record<string, unknown>>();
  for (const event of events) {
    const { generationId = "", content } = event;
    if (event.type === "user-abort" || event.type === "generation-failure") {
      const ended = event.type === "user-abort" ? event.content.generationId : generationId;
      for (const [name, tool] of tools)
        if (name.startsWith(`${ended} `) && isOpen(tool)) tool["status"] = "failed";
    }
    if (!("toolCallId" in content)) {
      items.push(describe(event));
      continue;
    }
    const name = `${generationId} ${content.toolCallId}`;
    const tool = tools.get(name) ?? { kind: "tool", name: content.toolName };
    if (!tools.has(name)) items.push(tool);
    tools.set(name, tool);
    Object.assign(tool, describeTool(event));
  }
  return items.map(normalize);
}

/** What a client shows, in the same form. */
export function showItems(items: readonly SessionItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind === "user" || item.kind === "agent") return normalize(textOf(item));
    if (item.kind === "assistant" || item.kind === "reasoning")
      return normalize(item.isPartial ? { ...textOf(item), isPartial: true } : textOf(item));
    if (item.kind === "tool") {
      const { kind, toolName: name, status, args, result, output, error } = item;
      return normalize({ kind, name, status, args, result, output, error });
    }
    const { id: _, createdAt: __, generationId: ___, ...rest } = item;
    return normalize(rest);
  });
}

function textOf({ kind, text }: { readonly kind: string; readonly text: string }) {
  return { kind, text };
}

const kinds: Readonly<Record<string, string>> = {
  "user-message": "user",
  "assistant-message": "assistant",
  reasoning: "reasoning",
  "other-agent-message": "agent",
};

function describe({ type, content }: EventEnvelope): Record<string, unknown> {
  if ("text" in content) return { kind: kinds[type], text: content.text };
  if (type === "trigger")
    return { kind: "trigger", name: content.triggerName, payload: content.payload };
  if (type === "user-abort") return { kind: "abort" };
  if (type === "generation-failure") return { kind: "failure", error: content.error };
  return { kind: "child", content };
}

function describeTool(event: EventEnvelope): Record<string, unknown> {
  if (event.type === "tool-result")
    return { status: "done", result: event.content.result, output: event.content.output };
  if (event.type === "tool-error")
    return {
      status: event.content.isUserRejection === true ? "rejected" : "failed",
      error: event.content.error,
    };
  if (event.type !== "tool-call") return {};
  const { approvalStatus = "approved", args } = event.content;
  return { status: approvalStatus === "approved" ? "running" : approvalStatus, args };
}

function isOpen({ status }: Record<string, unknown>): boolean {
  return status === "running" || status === "pending_approval";
}

function normalize(item: Record<string, unknown>): unknown {
  const fields = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.sort(([left], [right]) => (left < right ? -1 : 1)));
}
