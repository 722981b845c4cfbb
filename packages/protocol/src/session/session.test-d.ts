import { expectTypeOf, test } from "vitest";
import type { StreamHandlers } from "../streaming/stream-handlers.ts";
import type { ToolCallContent } from "./event-content.ts";
import type { EventEnvelope, EventEnvelopeOf } from "./event-envelope.ts";

test("a switch on the type narrows the content, and is complete", () => {
  const render = (event: EventEnvelope): string => {
    switch (event.type) {
      case "tool-call":
        expectTypeOf(event.content).toEqualTypeOf<ToolCallContent>();
        return event.content.toolName;
      case "tool-result":
      case "tool-error":
        return event.content.toolCallId;
      case "user-message":
      case "assistant-message":
      case "other-agent-message":
      case "reasoning":
        return event.content.text;
      case "trigger":
        return event.content.triggerName;
      case "loop-triggered":
        return event.content.triggeredBy;
      case "child-generation":
        return event.content.childGenerationId;
      case "user-abort":
        return event.content.generationId;
      case "generation-failure":
        return event.content.error;
    }
  };
  expectTypeOf(render).returns.toBeString();
});

test("a time is a text on the wire, and may be a date inside a program", () => {
  expectTypeOf<EventEnvelope["createdAt"]>().toBeString();
  expectTypeOf<EventEnvelope<Date>["createdAt"]>().toEqualTypeOf<Date>();
  expectTypeOf<EventEnvelopeOf<"tool-call">["content"]>().toEqualTypeOf<ToolCallContent>();
  expectTypeOf<EventEnvelopeOf<"tool-call", Date>["createdAt"]>().toEqualTypeOf<Date>();
});

test("handlers are written as ten asynchronous functions", () => {
  const handlers: StreamHandlers = {
    onAssistantMessage: async ({ generationId }) => void generationId,
    onAssistantMessageDelta: async ({ generationId, delta }) => void [generationId, delta],
    onReasoningStart: async ({ generationId }) => void generationId,
    onReasoningDelta: async ({ generationId, delta }) => void [generationId, delta],
    onToolCall: async (info) => void info.args,
    onToolResult: async (info) => void info.result,
    onToolNotFound: async (info) => void info.toolName,
    onToolError: async (info) => void info.isUserRejection,
    onToolOutputDelta: async (info) => void info.delta,
    onToolApprovalRequired: async (info) => void info.approvalDescription,
  };
  expectTypeOf(handlers).toEqualTypeOf<StreamHandlers>();
});
