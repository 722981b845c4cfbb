/**
 * The in-memory reference of the model: it answers from a script, and when the script is used up,
 * from the request alone.
 *
 * The same requests in the same order give the same answers, so a run with it can be repeated to
 * the byte.
 */
import type { Model, ModelContent, ModelRequest, ModelResult, ModelUsage } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { sampleValue } from "./sample-value.ts";

/**
 * One answer: a text, a value to be given as JSON, a list of tool calls, a failure, or a silence
 * until the abort.
 */
export type ScriptedReply =
  | string
  | { readonly json: unknown; readonly usage?: ModelUsage }
  | { readonly text: string; readonly usage?: ModelUsage }
  | { readonly toolCalls: readonly { readonly tool: string; readonly input: unknown }[] }
  | { readonly failure: string }
  | { readonly silence: true };

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
    requests,
    generate: async (request) => {
      const reply = replies[requests.length];
      requests.push(request);
      if (request.signal.aborted) throw aborted();
      if (typeof reply === "object" && "silence" in reply) return untilAbort(request.signal);
      if (typeof reply === "object" && "failure" in reply) {
        throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: reply.failure });
      }
      return answer(request, reply);
    },
  };
}

function answer(
  request: ModelRequest,
  reply: Exclude<ScriptedReply, { silence: true }> | undefined,
): ModelResult {
  const content = renderReply(request, reply);
  const given = typeof reply === "object" && "usage" in reply ? reply.usage : undefined;
  return {
    content,
    finishReason: content.some(({ kind }) => kind === "tool-call") ? "tool-calls" : "stop",
    usage: given ?? estimateUsage(request, content),
    answeredBy: request.model,
  };
}

function renderReply(request: ModelRequest, reply: ScriptedReply | undefined): ModelContent[] {
  if (reply === undefined) return [{ kind: "text", text: improvise(request) }];
  if (typeof reply === "string") return [{ kind: "text", text: reply }];
  if ("toolCalls" in reply) {
    return reply.toolCalls.map(({ tool, input }, index) => ({
      kind: "tool-call",
      toolCallId: `call-${index}`,
      toolName: tool,
      input: JSON.stringify(input),
    }));
  }
  return [
    {
      kind: "text",
      text: "text" in reply ? reply.text : JSON.stringify("json" in reply ? reply.json : null),
    },
  ];
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
