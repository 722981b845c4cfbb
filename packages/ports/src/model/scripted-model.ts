/**
 * The in-memory reference of the model: it answers from a script, and when the script is used up,
 * from the request alone.
 *
 * The same requests in the same order give the same answers, so a run with it can be repeated to
 * the byte. Watchers get one word at a time, or the pieces of the script.
 */

import type { ModelContent } from "@turnseal/protocol";
import type { FinishReason, Model, ModelRequest, ModelResult, ModelUsage } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { sampleValue } from "./sample-value.ts";

/**
 * One answer of the script: a text, a value sent as JSON, a list of tool calls, or a text in
 * pieces. Pieces that throw break off the answer. Or: whole content with its end, a failure, or a
 * silence until the abort.
 */
export type ScriptedReply =
  | string
  | { readonly json: unknown; readonly usage?: ModelUsage }
  | { readonly text: string; readonly usage?: ModelUsage }
  | { readonly toolCalls: readonly { readonly tool: string; readonly input: unknown }[] }
  | { readonly pieces: AsyncIterable<string> | Iterable<string>; readonly usage?: ModelUsage }
  | {
      readonly content: readonly ModelContent[];
      readonly finishReason?: FinishReason;
      readonly usage?: ModelUsage;
      readonly answeredBy?: string;
    }
  | { readonly failure: string }
  | { readonly silence: true };

type ContentReply = Extract<ScriptedReply, { content: unknown }>;
type PiecesReply = Extract<ScriptedReply, { pieces: unknown }>;

export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
}

/**
 * Answers with the replies in order; after the last one, with a sample of the asked schema or an
 * echo of the prompt.
 */
export function scriptedModel(replies: readonly ScriptedReply[] = []): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    defaultModel: "scripted",
    tellsFirstPiece: true,
    requests,
    generate: async (request) => {
      const reply = replies[requests.length];
      requests.push(request);
      if (request.signal.aborted) throw aborted();
      if (typeof reply === "object" && "silence" in reply) return untilAbort(request.signal);
      if (typeof reply === "object" && "failure" in reply) {
        throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: reply.failure });
      }
      const given = renderReply(request, reply);
      if ("content" in given) {
        request.onFirstPiece?.();
        tell(request, given.content);
      }
      return answer(request, "content" in given ? given : await collect(request, given));
    },
  };
}

function answer(request: ModelRequest, reply: ContentReply): ModelResult {
  const { content, finishReason, usage, answeredBy } = reply;
  const hasCalls = content.some(({ kind }) => kind === "tool-call");
  return {
    content,
    finishReason: finishReason ?? (hasCalls ? "tool-calls" : "stop"),
    usage: usage ?? estimateUsage(request, content),
    answeredBy: answeredBy ?? request.model,
  };
}

function renderReply(
  request: ModelRequest,
  reply: ScriptedReply | undefined,
): ContentReply | PiecesReply {
  if (reply === undefined) return { content: [{ kind: "text", text: improvise(request) }] };
  if (typeof reply === "string") return { content: [{ kind: "text", text: reply }] };
  if ("pieces" in reply || "content" in reply) return reply;
  if ("toolCalls" in reply) return { content: reply.toolCalls.map(renderToolCall) };
  const text = "text" in reply ? reply.text : JSON.stringify("json" in reply ? reply.json : null);
  const usage = "usage" in reply && reply.usage !== undefined ? { usage: reply.usage } : {};
  return { content: [{ kind: "text", text }], ...usage };
}

function renderToolCall(
  { tool, input }: { readonly tool: string; readonly input: unknown },
  index: number,
): ModelContent {
  return {
    kind: "tool-call",
    toolCallId: `call-${index}`,
    toolName: tool,
    input: JSON.stringify(input),
  };
}

function tell({ onDelta }: ModelRequest, content: readonly ModelContent[]): void {
  for (const [part, item] of content.entries()) {
    if (item.kind !== "text" && item.kind !== "reasoning") continue;
    const words = item.text.match(/\s*\S+|\s+$/g) ?? [];
    for (const text of words) onDelta?.({ kind: item.kind, part, text });
  }
}

/** Joins the pieces of a text as they come; the script says how fast. */
async function collect(request: ModelRequest, reply: PiecesReply): Promise<ContentReply> {
  const stopped = untilAbort(request.signal);
  const pieces = readAll(reply.pieces, (text) => {
    request.onFirstPiece?.();
    if (!request.signal.aborted) request.onDelta?.({ kind: "text", part: 0, text });
  });
  const text = await Promise.race([pieces, stopped]);
  const usage = reply.usage === undefined ? {} : { usage: reply.usage };
  return { content: [{ kind: "text", text }], ...usage };
}

async function readAll(
  pieces: AsyncIterable<string> | Iterable<string>,
  tellPiece: (piece: string) => void,
): Promise<string> {
  let text = "";
  try {
    for await (const piece of pieces) {
      text += piece;
      tellPiece(piece);
    }
  } catch {
    const message = "the script broke off";
    throw new ModelError({ code: "MODEL_ANSWER_BROKEN", retry: "retry", message });
  }
  return text;
}

function improvise(request: ModelRequest): string {
  if (request.outputSchema !== undefined) return JSON.stringify(sampleValue(request.outputSchema));
  const prompt = request.messages.findLast(({ role }) => role === "user");
  return `scripted answer to: ${prompt?.role === "user" ? prompt.text : ""}`;
}

// Four characters a token, each way: the rule of thumb of the LSEM reference runtime.
function estimateUsage(request: ModelRequest, content: readonly ModelContent[]): ModelUsage {
  return {
    inputTokens: Math.ceil(JSON.stringify(request.messages).length / 4),
    outputTokens: Math.ceil(JSON.stringify(content).length / 4),
  };
}

function untilAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(aborted()), { once: true });
  });
}

function aborted(): ModelError {
  return new ModelError({
    code: "MODEL_ABORTED",
    retry: "never",
    message: "the request was aborted",
  });
}
