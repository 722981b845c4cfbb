/**
 * Reads the answer of an AI SDK language model.
 *
 * 1. Usage is never estimated: a count of tokens that is missing or makes no sense is reported as
 *    zero. Whoever keeps a budget must read a zero as "not counted", not as "free".
 * 2. Parts that the port has no word for (files, sources, results of tools that the provider ran
 *    itself) are left out.
 * 3. An answer in another shape than the interface's is a `ModelError`, never a half-read result.
 */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import {
  FINISH_REASONS,
  type FinishReason,
  type ModelContent,
  ModelError,
  type ModelResult,
} from "@turnseal/ports";

interface AnswerContext {
  readonly backend: string;
  /** True when JSON was asked for. */
  readonly isStructured: boolean;
}

/** The answer in the words of the model port. */
export function parseAnswer(
  answer: LanguageModelV4GenerateResult,
  { backend, isStructured }: AnswerContext,
): ModelResult {
  const content = parseContent(answer?.content);
  if (content === undefined) throw invalidAnswer(backend);
  const modelId = answer.response?.modelId;
  return {
    content: isStructured ? selectFinalText(content, answer.structuredOutputText) : content,
    finishReason: parseFinishReason(answer.finishReason?.unified),
    usage: {
      inputTokens: parseTokens(answer.usage?.inputTokens?.total),
      outputTokens: parseTokens(answer.usage?.outputTokens?.total),
    },
    ...(typeof modelId === "string" && modelId !== "" && { answeredBy: modelId }),
  };
}

function parseContent(content: unknown): ModelContent[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts: ModelContent[] = [];
  for (const part of content) {
    const parsed = parsePart(part);
    if (parsed === "invalid") return undefined;
    if (parsed !== "left-out") parts.push(parsed);
  }
  return parts;
}

function parsePart(part: LanguageModelV4Content): ModelContent | "left-out" | "invalid" {
  const type = part?.type;
  if (type === "tool-call") return parseToolCall(part);
  if (type !== "text" && type !== "reasoning") return "left-out";
  return typeof part.text === "string" ? { kind: type, text: part.text } : "invalid";
}

function parseToolCall(
  part: Extract<LanguageModelV4Content, { type: "tool-call" }>,
): ModelContent | "left-out" | "invalid" {
  if (part.providerExecuted === true) return "left-out";
  // Some servers leave the arguments out when there are none.
  const { toolCallId, toolName } = part;
  const input = part.input ?? "";
  const areStrings = [toolCallId, toolName, input].every((field) => typeof field === "string");
  return areStrings ? { kind: "tool-call", toolCallId, toolName, input } : "invalid";
}

// A provider that writes drafts before its answer says which text is the answer; the drafts are no
// JSON to be joined to it.
function selectFinalText(content: ModelContent[], finalText: string | undefined): ModelContent[] {
  if (finalText === undefined) return content;
  return [...content.filter(({ kind }) => kind !== "text"), { kind: "text", text: finalText }];
}

function parseFinishReason(unified: string | undefined): FinishReason {
  return FINISH_REASONS.find((reason) => reason === unified) ?? "other";
}

// A fraction is rounded up: what is spent is never reported as less.
function parseTokens(total: number | undefined): number {
  const tokens = Math.ceil(total ?? 0);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}

function invalidAnswer(backend: string): ModelError {
  return new ModelError({
    code: "MODEL_ANSWER_INVALID",
    retry: "retry",
    message: `${backend} gave an answer that cannot be read`,
  });
}
