/** Turns envelopes and live pieces into calls of a `StreamHandlers`, turn by turn. */

import {
  type EventEnvelope,
  type EventEnvelopeOf,
  parseGenerationId,
} from "@turnseal/protocol/events";
import type { LiveDelta, StreamHandlers } from "@turnseal/protocol/streaming";
import { createToldTexts } from "./told-texts.ts";

export interface Teller {
  /** True when the log must be read before this piece. */
  isNew(delta: LiveDelta): boolean;
  tellDelta(delta: LiveDelta): Promise<void>;
  tellEnvelope(envelope: EventEnvelope): Promise<void>;
}

export function createTeller(handlers: StreamHandlers): Teller {
  const texts = createToldTexts(handlers);
  const shown = new Set<string>();
  let latest = 0;

  /** Earlier turns write no more. */
  const enter = (turn: number): void => {
    if (turn <= latest) return;
    texts.clear();
    shown.clear();
    latest = turn;
  };
  const showCall = async (envelope: EventEnvelopeOf<"tool-call">): Promise<void> => {
    const { toolCallId, toolName } = envelope.content;
    if (envelope.message !== undefined) texts.name(envelope.message, { toolCallId, toolName });
    await tellCall(handlers, envelope, shown.has(toolCallId));
    shown.add(toolCallId);
  };

  return {
    isNew: texts.isNew,
    tellDelta: async (delta) => {
      enter(delta.turn);
      if (delta.turn === latest) await texts.tellPiece(delta);
    },
    tellEnvelope: async (envelope) => {
      const { generationId = "", message = "" } = envelope;
      enter(parseGenerationId(generationId)?.turn ?? latest);
      const place = { generationId, message };
      switch (envelope.type) {
        case "assistant-message":
          return texts.complete({ kind: "text", ...place }, envelope.content.text);
        case "reasoning":
          return texts.complete({ kind: "reasoning", ...place }, envelope.content.text);
        case "tool-call":
          return showCall(envelope);
        case "tool-result":
          if (envelope.content.output !== undefined)
            await texts.complete({ kind: "tool-output", ...place }, envelope.content.output);
          return handlers.onToolResult({ generationId, ...envelope.content });
        case "tool-error":
          return tellError(handlers, envelope);
        default:
          return;
      }
    },
  };
}

async function tellCall(
  handlers: StreamHandlers,
  { generationId = "", content }: EventEnvelopeOf<"tool-call">,
  isKnown: boolean,
): Promise<void> {
  const { toolCallId, toolName, args, readOnly, approvalStatus } = content;
  const call = { generationId, toolCallId, toolName, args };
  if (!isKnown)
    await handlers.onToolCall({ ...call, ...(readOnly === undefined ? {} : { readOnly }) });
  const { approvalDescription = "" } = content;
  if (approvalStatus === "pending_approval")
    await handlers.onToolApprovalRequired({ ...call, approvalDescription });
}

function tellError(
  handlers: StreamHandlers,
  { generationId = "", content }: EventEnvelopeOf<"tool-error">,
): Promise<void> {
  const { isUserRejection: _, ...notFound } = content;
  return content.error === "TOOL_UNKNOWN"
    ? handlers.onToolNotFound({ generationId, ...notFound })
    : handlers.onToolError({ generationId, ...content });
}
