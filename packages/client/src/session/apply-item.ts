/** Folds one envelope, the next in the order of the log, into the items of a session. */
import type { EventEnvelope, EventEnvelopeOf } from "@turnseal/protocol/events";
import type { SessionItem, ToolItem } from "./session-state.ts";

type ToolEnvelope = EventEnvelopeOf<"tool-call" | "tool-result" | "tool-error">;
type Items = readonly SessionItem[];

export function applyItem(items: Items, event: EventEnvelope): Items {
  switch (event.type) {
    case "user-message":
      return [...items, { kind: "user", ...placeOf(event), ...event.content }];
    case "assistant-message":
      return [
        ...items,
        { kind: "assistant", ...writtenAt(event), ...event.content, isPartial: false },
      ];
    case "reasoning":
      return [
        ...items,
        { kind: "reasoning", ...writtenAt(event), ...event.content, isPartial: false },
      ];
    case "other-agent-message":
      return [...items, { kind: "agent", ...placeOf(event), text: event.content.text }];
    case "trigger": {
      const { triggerName: name, ...payload } = event.content;
      return [...items, { kind: "trigger", ...placeOf(event), name, ...payload }];
    }
    case "loop-triggered":
    case "child-generation":
      return [...items, { kind: "child", ...placeOf(event), content: event.content }];
    case "user-abort":
      return [...endTools(items, event.content.generationId), { kind: "abort", ...placeOf(event) }];
    case "generation-failure":
      return [
        ...endTools(items, event.generationId),
        { kind: "failure", ...placeOf(event), error: event.content.error },
      ];
    case "tool-call":
    case "tool-result":
    case "tool-error":
      return applyTool(items, event);
  }
}

function placeOf({ id, createdAt, generationId, erased }: EventEnvelope) {
  return {
    id,
    createdAt,
    ...(generationId === undefined ? {} : { generationId }),
    ...(erased === undefined ? {} : { isErased: erased }),
  };
}

function writtenAt(event: EventEnvelope) {
  return { ...placeOf(event), id: event.message ?? event.id };
}

/** A later envelope of a tool changes the item where it stands. */
function applyTool(items: Items, event: ToolEnvelope): Items {
  const at = items.findLastIndex((item) => isSameTool(item, event));
  const known = items[at];
  if (known?.kind === "tool")
    return items.with(at, { ...known, ...messageOf(event), ...changeOf(event) });
  const { toolCallId, toolName } = event.content;
  return [
    ...items,
    {
      kind: "tool",
      ...placeOf(event),
      toolCallId,
      toolName,
      ...messageOf(event),
      ...changeOf(event),
    },
  ];
}

// Providers restart the ids with each answer, so an id is unique only within a generation.
function isSameTool(item: SessionItem, { content, generationId }: ToolEnvelope): boolean {
  return (
    item.kind === "tool" &&
    item.toolCallId === content.toolCallId &&
    item.generationId === generationId
  );
}

function messageOf({ message }: EventEnvelope): Pick<ToolItem, "message"> {
  return message === undefined ? {} : { message };
}

type ToolChange = Pick<ToolItem, "status"> & Partial<ToolItem>;

function changeOf(event: ToolEnvelope): ToolChange {
  switch (event.type) {
    case "tool-call": {
      const { args, readOnly, approvalStatus, approvalDescription } = event.content;
      return {
        status: statusOf(approvalStatus),
        args,
        ...(readOnly === undefined ? {} : { readOnly }),
        ...(approvalDescription === undefined ? {} : { description: approvalDescription }),
      };
    }
    case "tool-result": {
      const { result, output } = event.content;
      return { status: "done", result, ...(output === undefined ? {} : { output }) };
    }
    case "tool-error": {
      const { error, isUserRejection } = event.content;
      return { status: isUserRejection === true ? "rejected" : "failed", error };
    }
  }
}

function statusOf(
  approval: EventEnvelopeOf<"tool-call">["content"]["approvalStatus"],
): ToolItem["status"] {
  if (approval === "pending_approval") return "pending_approval";
  return approval === "rejected" ? "rejected" : "running";
}

/** A generation that has ended leaves no tool at work, and none to be approved. */
function endTools(items: Items, generationId: string | undefined): Items {
  return items.map((item) => {
    const isOpen =
      item.kind === "tool" &&
      item.generationId === generationId &&
      (item.status === "running" || item.status === "pending_approval");
    return isOpen ? { ...item, status: "failed" } : item;
  });
}
