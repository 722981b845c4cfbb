/**
 * Reads what a model answered. A model is foreign code: an answer that cannot be kept, or is none,
 * is a failure and not a crash later on.
 */
import { FINISH_REASONS, type ModelContent, type ModelResult } from "@turnseal/ports";
import { copyJson, isPlainObject } from "@turnseal/protocol";
import { hasFields, type Is, isCount, isListOf, isOneOf, isText } from "@turnseal/protocol/shape";
import { ANSWER_BYTES_MAX } from "../limits.ts";

/** A copy of the answer; throws where there is none. */
export function parseModelResult(result: unknown): ModelResult {
  const copied = copyJson(result, ANSWER_BYTES_MAX);
  if (copied.kind === "refused") throw new TypeError(`the model's answer ${copied.reason}`);
  if (!isResult(copied.value))
    throw new TypeError("the model's answer has no content, no usage or no end");
  return copied.value;
}

const isSaid = hasFields(
  { kind: isOneOf(["text", "reasoning"]), text: isText },
  { providerData: isPlainObject },
);
const isToolCall = hasFields(
  { kind: isOneOf(["tool-call"]), toolCallId: isText, toolName: isText, input: isText },
  { providerData: isPlainObject },
);

const isSource = hasFields(
  { kind: isOneOf(["source"]), id: isText },
  {
    ...{ url: isText, title: isText, mediaType: isText, filename: isText },
    providerData: isPlainObject,
  },
);

const isResult: Is<ModelResult> = hasFields(
  {
    content: isListOf(
      (part): part is ModelContent => isSaid(part) || isToolCall(part) || isSource(part),
    ),
    usage: hasFields(
      {},
      {
        inputTokens: isCount,
        outputTokens: isCount,
        cacheReadTokens: isCount,
        cacheWriteTokens: isCount,
        reasoningTokens: isCount,
      },
    ),
    finishReason: isOneOf(FINISH_REASONS),
  },
  { answeredBy: isText },
);
