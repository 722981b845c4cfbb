/** A tool call, its result and its error, in the words of a session. */
import { isPlainObject, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import type { ReadContent } from "./applied.ts";
import { type EnvelopeDraft, markErased } from "./envelope-draft.ts";
import type { OpenTool } from "./session-state.ts";
import { formatToolFailure } from "./tool-failure.ts";

export function describeCall(tool: OpenTool): EnvelopeDraft {
  const { toolCallId, toolName, args, readOnly, approval } = tool;
  return {
    type: "tool-call",
    content: {
      toolCallId,
      toolName,
      args: args ?? null,
      ...(readOnly === null ? {} : { readOnly }),
      ...(approval === null
        ? {}
        : { approvalStatus: approval.status, approvalDescription: approval.description }),
    },
    ...messageOf(tool),
    ...markErased(args === undefined),
  };
}

/** `reference` is where the result is, if it is not where its action left it. */
export function describeResult(
  tool: OpenTool,
  read: ReadContent,
  reference: JsonValue = tool.result,
): EnvelopeDraft {
  const { toolCallId, toolName } = tool;
  const result = read(reference);
  const output = read(tool.output);
  return {
    type: "tool-result",
    content: {
      toolCallId,
      toolName,
      result: result ?? null,
      ...(typeof output === "string" ? { output } : {}),
    },
    ...messageOf(tool),
    ...markErased(result === undefined || (tool.output !== null && output === undefined)),
  };
}

export function describeError(
  tool: OpenTool,
  told: JsonValue | undefined,
  { content }: LoopEvent,
): EnvelopeDraft {
  const { toolCallId, toolName, approval } = tool;
  const isUserRejection = approval?.status === "rejected" || isRejection(content["details"]);
  return {
    type: "tool-error",
    content: {
      toolCallId,
      toolName,
      error: formatToolFailure(told),
      ...(isUserRejection ? { isUserRejection } : {}),
    },
    ...messageOf(tool),
  };
}

function messageOf({ key }: OpenTool): { readonly message?: string } {
  return key === null ? {} : { message: key };
}

function isRejection(details: JsonValue | undefined): boolean {
  const denial = isPlainObject(details) ? details["denial"] : undefined;
  return denial === "approval-rejected" || denial === "approval-declined";
}
