/**
 * The chunks that the AI SDK's interfaces read: the part of its protocol that sessions use
 * (`x-vercel-ai-ui-message-stream: v1`).
 */
import type { OpenWord } from "@turnseal/host";

export type UiChunk =
  | { readonly type: "start"; readonly messageId: string; readonly messageMetadata: object }
  | { readonly type: "start-step" | "finish-step" | "reset-step" }
  | { readonly type: `${"text" | "reasoning"}-${"start" | "end"}`; readonly id: string }
  | {
      readonly type: `${"text" | "reasoning"}-delta`;
      readonly id: string;
      readonly delta: string;
    }
  | { readonly type: "file"; readonly url: string; readonly mediaType: string }
  | {
      readonly type: "source-url";
      readonly sourceId: string;
      readonly url: string;
      readonly title?: string;
    }
  | {
      readonly type: "source-document";
      readonly sourceId: string;
      readonly mediaType: string;
      readonly title: string;
      readonly filename?: string;
    }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
      /** The card; absent if the approval was decided before. */
      readonly approvalDescriptor?: OpenWord;
    }
  | {
      readonly type: "tool-approval-response";
      readonly approvalId: string;
      readonly approved: boolean;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | {
      readonly type: `data-${string}`;
      readonly id?: string;
      readonly data: unknown;
      readonly transient?: true;
    }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "finish"; readonly finishReason: "stop" | "tool-calls" | "error" | "other" };

const encoder = new TextEncoder();

export function renderChunk(chunk: UiChunk): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** Marks the end: a stream without it was cut. */
export const DONE: Uint8Array = encoder.encode("data: [DONE]\n\n");

export const UI_STREAM_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-vercel-ai-ui-message-stream": "v1",
  "transfer-encoding": "chunked",
  "x-accel-buffering": "no",
};
