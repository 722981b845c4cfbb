/**
 * Reads the answer of an AI SDK language model.
 *
 * 1. Usage is never estimated: a count of tokens that is missing or makes no sense is left out.
 * 2. Parts that the port does not have are left out: results of tools that the provider ran itself,
 *    and files that the caller does not keep.
 * 3. An answer in another shape than the interface's, or without an end, is a `ModelError`, never a
 *    half-read result.
 */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { ModelRequest, ModelResult } from "@turnseal/ports";
import type { ModelContent } from "@turnseal/protocol";
import { ANSWER_LENGTH_MAX, CONTENT_PARTS_MAX } from "./answer-limits.ts";
import {
  parseFile,
  parseFinishReason,
  parseProviderData,
  parseSource,
  parseToolCall,
  parseUsage,
} from "./parse-part.ts";
import { answerError } from "./to-model-error.ts";

interface AnswerContext {
  readonly backend: string;
  /** True for a JSON answer. */
  readonly isStructured: boolean;
  readonly takeFile?: ModelRequest["takeFile"] | undefined;
}

/** The answer in the words of the model port. */
export function parseAnswer(
  answer: LanguageModelV4GenerateResult,
  { backend, isStructured, takeFile }: AnswerContext,
): ModelResult {
  const content = parseContent(answer?.content, takeFile);
  if (content === undefined) throw answerError("MODEL_ANSWER_INVALID", backend);
  if (isTooLarge(content)) throw answerError("MODEL_ANSWER_TOO_LARGE", backend);
  const unified = answer.finishReason?.unified;
  if (unified === "interrupted") throw answerError("MODEL_ANSWER_UNFINISHED", backend);
  const modelId = answer.response?.modelId;
  return {
    content: isStructured ? selectFinalText(content, answer.structuredOutputText) : content,
    finishReason: parseFinishReason(unified),
    usage: parseUsage(answer.usage),
    ...(typeof modelId === "string" && modelId !== "" && { answeredBy: modelId }),
  };
}

function parseContent(
  content: unknown,
  takeFile: ModelRequest["takeFile"],
): ModelContent[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts: ModelContent[] = [];
  for (const part of content) {
    const parsed = parsePart(part, takeFile);
    if (parsed === "invalid") return undefined;
    if (parsed !== "left-out") parts.push(parsed);
  }
  return parts;
}

function parsePart(
  part: LanguageModelV4Content,
  takeFile: ModelRequest["takeFile"],
): ModelContent | "left-out" | "invalid" {
  const type = part?.type;
  if (type === "tool-call") return parseToolCall(part);
  if (type === "source") return parseSource(part);
  if (type === "file") return parseFile(part, takeFile);
  if (type !== "text" && type !== "reasoning") return "left-out";
  if (typeof part.text !== "string") return "invalid";
  return { kind: type, text: part.text, ...parseProviderData(part.providerMetadata) };
}

function isTooLarge(content: readonly ModelContent[]): boolean {
  return content.length > CONTENT_PARTS_MAX || JSON.stringify(content).length > ANSWER_LENGTH_MAX;
}

// A provider that writes drafts before its answer says which text is the answer; the drafts are no
// JSON to be joined to it.
function selectFinalText(content: ModelContent[], finalText: string | undefined): ModelContent[] {
  if (finalText === undefined) return content;
  const written = content.findLast((part) => part.kind === "text" && part.text === finalText);
  const final = written ?? ({ kind: "text", text: finalText } as const);
  return [...content.filter(({ kind }) => kind !== "text"), final];
}
