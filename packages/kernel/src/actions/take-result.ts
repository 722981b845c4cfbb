/**
 * Takes what a model answered. A model is foreign code: an answer that cannot be kept, or is none,
 * is a failure and not a crash later on.
 */
import { FINISH_REASONS, type ModelResult } from "@turnseal/ports";
import { type JsonObject, type JsonValue, takeJson } from "@turnseal/protocol";
import { ANSWER_BYTES_MAX } from "../limits.ts";

/** A copy of the answer; throws where there is none. */
export function takeResult(result: unknown): ModelResult {
  const taken = takeJson(result, ANSWER_BYTES_MAX);
  if (taken.kind === "refused") throw new TypeError(`the model's answer ${taken.reason}`);
  if (!isResult(taken.value))
    throw new TypeError("the model's answer has no content, no usage or no end");
  return taken.value as unknown as ModelResult;
}

function isResult(answer: JsonValue): boolean {
  if (!isObject(answer)) return false;
  const { content, usage, finishReason, answeredBy = "" } = answer;
  const hasContent = Array.isArray(content) && content.every(isContent);
  const hasEnd = (FINISH_REASONS as readonly unknown[]).includes(finishReason);
  return hasContent && isUsage(usage) && hasEnd && typeof answeredBy === "string";
}

function isContent(part: JsonValue): boolean {
  if (!isObject(part)) return false;
  const { kind, providerData } = part;
  if (providerData !== undefined && !isObject(providerData)) return false;
  switch (kind) {
    case "text":
    case "reasoning":
      return typeof part["text"] === "string";
    case "tool-call":
      return toolCallTexts.every((name) => typeof part[name] === "string");
    default:
      return false;
  }
}

const toolCallTexts = ["toolCallId", "toolName", "input"] as const;

function isUsage(usage: JsonValue | undefined): boolean {
  return isObject(usage) && isCount(usage["inputTokens"]) && isCount(usage["outputTokens"]);
}

function isCount(count: JsonValue | undefined): boolean {
  return count === undefined || (Number.isSafeInteger(count) && Number(count) >= 0);
}

// Of a value that was taken: every object in it is plain.
function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
