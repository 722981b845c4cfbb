/**
 * A session as the messages that its model was sent.
 *
 * 1. It is about one conversation: the generations of one prompt. Where several prompts speak in
 *    one generation, or a provider wants signatures back, `readModelMessages` has the exact
 *    requests from the log.
 * 2. Words and tool calls of one answer are one message. The parts of an answer are numbered, and
 *    the calls are the numbers that are missing.
 */
import {
  canonicalize,
  DECLINED,
  type JsonValue,
  type ModelContent,
  type ModelMessage,
} from "@turnseal/protocol";
import type { EventEnvelope, EventEnvelopeOf } from "@turnseal/protocol/events";
import { parseToolFailure } from "./tool-failure.ts";

type ToolCall = EventEnvelopeOf<"tool-call">;
type Words = EventEnvelopeOf<"assistant-message" | "reasoning">;

/** One answer of the model, with the results of its calls. */
interface Round {
  readonly words: Words[];
  /** By id, in the order of the answer. The first that is shown has what the model wrote. */
  readonly calls: Map<string, ToolCall>;
  readonly results: Map<string, JsonValue>;
}

/** The messages of a session, in order. */
export function toModelMessages(envelopes: readonly EventEnvelope[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let round: Round | undefined;
  const close = (): void => {
    if (round !== undefined) messages.push(...renderRound(round));
    round = undefined;
  };
  for (const envelope of envelopes) {
    switch (envelope.type) {
      case "user-message":
        close();
        messages.push({ role: "user", text: envelope.content.text });
        break;
      case "assistant-message":
      case "reasoning":
        if (round !== undefined && !isSameAnswer(round, envelope)) close();
        round ??= openRound();
        round.words.push(envelope);
        break;
      case "tool-call":
        if (round !== undefined && isNextAnswer(round, envelope)) close();
        round ??= openRound();
        applyCall(round, envelope);
        break;
      case "tool-result":
        round?.results.set(envelope.content.toolCallId, envelope.content.result);
        break;
      case "tool-error":
        applyError(round, envelope);
        break;
      default:
        break;
    }
  }
  close();
  return messages;
}

function openRound(): Round {
  return { words: [], calls: new Map(), results: new Map() };
}

function isSameAnswer({ words, calls }: Round, { message }: Words): boolean {
  return calls.size === 0 && keyOf(words[0]?.message) === keyOf(message);
}

/** The calls of one answer have the place of that answer in their ids. */
function isNextAnswer({ calls }: Round, { content }: ToolCall): boolean {
  const [first] = calls.keys();
  return first !== undefined && placeOf(first) !== placeOf(content.toolCallId);
}

function applyCall({ calls }: Round, call: ToolCall): void {
  const { toolCallId } = call.content;
  // A call that no model asked for belongs to no message of a model.
  if (placeOf(toolCallId) !== undefined && !calls.has(toolCallId)) calls.set(toolCallId, call);
}

function applyError(round: Round | undefined, { content }: EventEnvelopeOf<"tool-error">): void {
  const failure = parseToolFailure(content.error);
  const isRejected = content.isUserRejection === true && failure["error"] === "POLICY_DENIED";
  const told = isRejected ? { ...failure, denial: DECLINED } : failure;
  round?.results.set(content.toolCallId, told);
}

/** The answer, and what its calls gave, in its order. */
function renderRound({ words, calls, results }: Round): ModelMessage[] {
  const parts = new Map<number, ModelContent>(
    words.map(({ type, content: { text }, message }) => [
      partOf(message),
      { kind: type === "reasoning" ? "reasoning" : "text", text },
    ]),
  );
  let next = 0;
  for (const { content } of calls.values()) {
    while (parts.has(next)) next += 1;
    parts.set(next, renderCall(content, results.get(content.toolCallId)));
  }
  const content = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
  const told = [...calls.values()].flatMap(({ content: call }): ModelMessage[] => {
    const result = results.get(call.toolCallId);
    const { toolName } = call;
    const toolCallId = givenId(call.toolCallId);
    return result === undefined ? [] : [{ role: "tool", toolCallId, toolName, result }];
  });
  if (content.length === 0) return told;
  return [{ role: "assistant", content }, ...told];
}

function renderCall(
  { toolCallId, toolName, args }: ToolCall["content"],
  result: JsonValue | undefined,
): ModelContent {
  const isRaw =
    typeof args === "string" &&
    typeof result === "object" &&
    result !== null &&
    "error" in result &&
    result["error"] === "ARGUMENTS_NOT_JSON";
  const input = isRaw ? args : canonicalize(args);
  return { kind: "tool-call", toolCallId: givenId(toolCallId), toolName, input };
}

const idPattern = /^([\s\S]*)@(\d+)(?:\.\d+)?$/;

function placeOf(toolCallId: string): string | undefined {
  return idPattern.exec(toolCallId)?.[2];
}

function givenId(toolCallId: string): string {
  return idPattern.exec(toolCallId)?.[1] ?? toolCallId;
}

function keyOf(message: string | undefined): string | undefined {
  return message?.split(".")[0];
}

function partOf(message: string | undefined): number {
  return Number(message?.split(".")[1] ?? 0);
}
