/** The tools of a message: asked for, perhaps approved, and ended once. */
import type { RunState } from "@turnseal/host";
import { canonicalize } from "@turnseal/protocol";
import type { EventEnvelopeOf } from "@turnseal/protocol/events";
import type { Steps } from "./steps.ts";
import type { UiChunk } from "./ui-chunk.ts";

interface ToldTool {
  readonly step: number;
  readonly args: string;
  readonly message: string | undefined;
  readonly approvalId?: string;
  readonly isDecided?: true;
}

type ToolEnvelope = EventEnvelopeOf<"tool-call" | "tool-result" | "tool-error">;

export interface ToldTools {
  /** True for a tool that has no part yet: it needs a place. */
  isNew(envelope: ToolEnvelope): boolean;
  take(envelope: ToolEnvelope): void;
  /** Says of the tools that wait that they do, with the card of each. */
  ask(requests: RunState["requests"]): void;
}

export function createToldTools(steps: Steps, emit: (chunk: UiChunk) => void): ToldTools {
  const tools = new Map<string, ToldTool>();
  /** A part of an earlier step is changed in place; one of this step is sent again. */
  const tell = ({ step }: ToldTool, chunk: UiChunk): void =>
    step === steps.count() ? steps.keep(chunk) : emit(chunk);
  const call = ({ content, message }: EventEnvelopeOf<"tool-call">): void => {
    const { toolCallId, toolName, args: input, approvalStatus } = content;
    const known = tools.get(toolCallId);
    const args = canonicalize(input);
    const tool: ToldTool = { step: steps.count(), ...known, args, message };
    tools.set(toolCallId, tool);
    // Other arguments are another request, and the card of the earlier one is void.
    if (known === undefined || (known.args !== args && tool.step === steps.count()))
      tell(tool, { type: "tool-input-available", toolCallId, toolName, input, dynamic: true });
    if (approvalStatus === "approved" || approvalStatus === "rejected")
      decide(toolCallId, approvalStatus === "approved");
  };
  const decide = (toolCallId: string, approved: boolean): void => {
    const tool = tools.get(toolCallId);
    if (tool === undefined || tool.isDecided) return;
    // A reader who comes later still learns of the request, but the id of its approval is gone.
    const approvalId = tool.approvalId ?? `decided ${toolCallId}`;
    if (tool.approvalId === undefined)
      tell(tool, { type: "tool-approval-request", approvalId, toolCallId });
    tell(tool, { type: "tool-approval-response", approvalId, approved });
    tools.set(toolCallId, { ...tool, approvalId, isDecided: true });
  };
  const end = (envelope: EventEnvelopeOf<"tool-result" | "tool-error">): void => {
    const { toolCallId } = envelope.content;
    const tool = tools.get(toolCallId);
    if (tool !== undefined) tell(tool, describeEnd(envelope));
  };
  return {
    isNew: ({ type, content }) => type === "tool-call" && !tools.has(content.toolCallId),
    take: (envelope) => (envelope.type === "tool-call" ? call(envelope) : end(envelope)),
    ask: (requests) => {
      for (const request of requests) {
        if (request.kind !== "approval") continue;
        const found = [...tools].findLast(([, tool]) => tool.message === request.message);
        if (found === undefined || found[1].approvalId === request.id) continue;
        const [toolCallId, { isDecided: _, ...tool }] = found;
        tools.set(toolCallId, { ...tool, approvalId: request.id });
        tell(tool, {
          ...{ type: "tool-approval-request", approvalId: request.id, toolCallId },
          approvalDescriptor: request,
        });
      }
    },
  };
}

function describeEnd(envelope: EventEnvelopeOf<"tool-result" | "tool-error">): UiChunk {
  const { toolCallId } = envelope.content;
  if (envelope.type === "tool-result") {
    const output = envelope.content.result;
    return { type: "tool-output-available", toolCallId, output, dynamic: true };
  }
  const { error: errorText, isUserRejection } = envelope.content;
  return isUserRejection === true
    ? { type: "tool-output-denied", toolCallId }
    : { type: "tool-output-error", toolCallId, errorText, dynamic: true };
}
