/** Folds chunks into the parts of a message, as the AI SDK does in a browser. */
import type { UiChunk } from "./ui-chunk.ts";

export type UiPart = { readonly type: string } & Record<string, unknown>;

export interface UiMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly metadata?: object;
  readonly parts: readonly UiPart[];
}

export function applyChunk(parts: readonly UiPart[], chunk: UiChunk): readonly UiPart[] {
  switch (chunk.type) {
    case "start-step":
      return [...parts, { type: "step-start" }];
    case "text-delta":
    case "reasoning-delta": {
      const at = parts.findLastIndex((part) => part["id"] === chunk.id);
      const part = parts[at];
      return part === undefined
        ? parts
        : parts.with(at, { ...part, text: `${part["text"]}${chunk.delta}` });
    }
    case "text-start":
      return [...parts, { type: "text", id: chunk.id, text: "", state: "streaming" }];
    case "reasoning-start":
      return [...parts, { type: "reasoning", id: chunk.id, text: "", state: "streaming" }];
    case "text-end":
    case "reasoning-end":
      return change(parts, (part) => part["id"] === chunk.id, { state: "done" });
    case "reset-step":
      return parts.slice(0, parts.findLastIndex(({ type }) => type === "step-start") + 1);
    case "file":
    case "source-url":
    case "source-document":
      return [...parts, chunk];
    case "start":
    case "finish-step":
    case "finish":
    case "error":
      return parts;
    default:
      return chunk.type.startsWith("data-")
        ? applyData(parts, chunk as DataChunk)
        : applyTool(parts, chunk as ToolChunk);
  }
}

type DataChunk = Extract<UiChunk, { readonly data: unknown }>;
type ToolChunk = Extract<UiChunk, { readonly type: `tool-${string}` }>;

function change(
  parts: readonly UiPart[],
  isMeant: (part: UiPart) => boolean,
  fields: Record<string, unknown>,
): readonly UiPart[] {
  const at = parts.findLastIndex(isMeant);
  const part = parts[at];
  return part === undefined ? parts : parts.with(at, { ...part, ...fields });
}

function applyData(parts: readonly UiPart[], chunk: DataChunk): readonly UiPart[] {
  if (chunk.transient === true) return parts;
  const isSame = (part: UiPart) => part.type === chunk.type && part["id"] === chunk.id;
  return parts.some(isSame)
    ? change(parts, isSame, { data: chunk.data })
    : [...parts, { ...chunk }];
}

function applyTool(parts: readonly UiPart[], chunk: ToolChunk): readonly UiPart[] {
  switch (chunk.type) {
    case "tool-input-available": {
      const { toolCallId, toolName, input } = chunk;
      const fields = { state: "input-available", input };
      return parts.some((part) => part["toolCallId"] === toolCallId)
        ? change(parts, (part) => part["toolCallId"] === toolCallId, fields)
        : [...parts, { type: "dynamic-tool", toolCallId, toolName, ...fields }];
    }
    case "tool-approval-response": {
      const { approvalId: id, approved } = chunk;
      const part = parts.findLast((each) => approvalOf(each)["id"] === id);
      const approval = { ...(part === undefined ? {} : approvalOf(part)), approved };
      return change(parts, (each) => each === part, { state: "approval-responded", approval });
    }
    case "tool-approval-request": {
      const { approvalId: id, approvalDescriptor: descriptor } = chunk;
      const approval = { id, ...(descriptor === undefined ? {} : { descriptor }) };
      return change(parts, named(chunk), { state: "approval-requested", approval });
    }
    case "tool-output-available":
      return change(parts, named(chunk), { state: "output-available", output: chunk.output });
    case "tool-output-error":
      return change(parts, named(chunk), { state: "output-error", errorText: chunk.errorText });
    case "tool-output-denied":
      return change(parts, named(chunk), { state: "output-denied" });
  }
}

function named({ toolCallId }: { readonly toolCallId: string }) {
  return (part: UiPart): boolean => part["toolCallId"] === toolCallId;
}

function approvalOf(part: UiPart): Readonly<Record<string, unknown>> {
  return (part["approval"] as Readonly<Record<string, unknown>> | undefined) ?? {};
}
