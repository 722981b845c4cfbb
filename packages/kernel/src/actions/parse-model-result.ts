/**
 * Reads what a model answered. A model is foreign code: an answer that cannot be kept, or is none,
 * is a failure and not a crash later on.
 */
import { FINISH_REASONS, type ModelResult } from "@turnseal/ports";
import { copyJson, isPlainObject, type ModelContent } from "@turnseal/protocol";
import { type FileRef, isFileRef } from "@turnseal/protocol/files";
import { hasFields, type Is, isCount, isListOf, isOneOf, isText } from "@turnseal/protocol/shape";
import { filesOf } from "../context/message-files.ts";
import { ANSWER_BYTES_MAX, TOOL_CALL_ID_LENGTH_MAX } from "../limits.ts";

/** A copy of the answer; throws where there is none. */
export function parseModelResult(
  result: unknown,
  isTaken: (file: FileRef) => boolean = () => false,
): ModelResult {
  const copied = copyJson(result, ANSWER_BYTES_MAX);
  if (copied.kind === "refused") throw new TypeError(`the model's answer ${copied.reason}`);
  if (!isResult(copied.value))
    throw new TypeError("the model's answer has no content, no usage or no end");
  const files = filesOf({ role: "assistant", content: copied.value.content });
  if (!files.every(isTaken))
    throw new TypeError("the model's answer has a file that it did not give");
  return copied.value;
}

const isSaid = hasFields(
  { kind: isOneOf(["text", "reasoning"]), text: isText },
  { providerData: isPlainObject },
);
/** An id stands in the log as plain text, which no erasure removes. */
const isCallId = (value: unknown): value is string =>
  isText(value) && value.length <= TOOL_CALL_ID_LENGTH_MAX && /^[!-~]*$/.test(value);
const isToolCall = hasFields(
  { kind: isOneOf(["tool-call"]), toolCallId: isCallId, toolName: isText, input: isText },
  { providerData: isPlainObject },
);

const isSource = hasFields(
  { kind: isOneOf(["source"]), id: isText },
  {
    ...{ url: isText, title: isText, mediaType: isText, filename: isText },
    providerData: isPlainObject,
  },
);

function isFile(part: unknown): boolean {
  if (!isPlainObject(part) || part["kind"] !== "file") return false;
  const { kind: _, providerData, ...file } = part;
  return isFileRef(file) && (providerData === undefined || isPlainObject(providerData));
}

const isResult: Is<ModelResult> = hasFields(
  {
    content: isListOf(
      (part): part is ModelContent =>
        isSaid(part) || isToolCall(part) || isSource(part) || isFile(part),
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
