/** A tool call, its result and its error, in the words of a session. */
import type { BlobRef, JsonValue } from "@turnseal/protocol";
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
  reference: BlobRef | null = tool.result,
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

/** `denial` is why the call that served it was refused, where it was. */
export function describeError(
  tool: OpenTool,
  told: JsonValue | undefined,
  denial?: string,
): EnvelopeDraft {
  const { toolCallId, toolName, approval } = tool;
  const isRejection = denial === "approval-rejected" || denial === "approval-declined";
  const isUserRejection = approval?.status === "rejected" || isRejection;
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
