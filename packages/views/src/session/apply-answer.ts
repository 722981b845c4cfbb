/** Applies a model's answer: words, thoughts, and tool calls. */
import {
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type ReasoningTime,
  type SettledOf,
  textOf,
} from "@turnseal/protocol";
import { ANSWER_SOURCES_MAX, type AnswerSource } from "@turnseal/protocol/events";
import { type FileRef, isFileRef } from "@turnseal/protocol/files";
import type { Applied, ReadContent } from "./applied.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import { emptyTool, isWithin, type OpenTool, type SessionState } from "./session-state.ts";
import { tellSummarized } from "./summarized.ts";

/** Applies the settlement of a model request. */
export function applyAnswer(
  state: SessionState,
  event: SettledOf<"model">,
  read: ReadContent,
): Applied {
  const { content, call, sequence } = event;
  if (isWithin(state, call, state.filters)) return { state, drafts: [] };
  const { key, reasoning: thoughts = [] } = content;
  const answer = read(content.result);
  // An aborted message gets no answer.
  const isSilent = state.isAborted || isWithin(state, call, state.filtered);
  if (answer === undefined) {
    const erased = { content: { text: "" }, message: `${key}.0`, erased: true } as const;
    return { state, drafts: isSilent ? [] : [{ type: speakerOf(state, call), ...erased }] };
  }
  const parts = Array.isArray(answer) ? (answer as readonly JsonValue[]) : [];
  const asked = parts.filter(isToolCall);
  const places = numberRepeated(
    asked.map(({ toolCallId }) => textOf(toolCallId)),
    sequence,
  );
  const tools = asked.map((part, index) =>
    openTool(part, { asker: call, index, total: asked.length, place: places[index] ?? "" }),
  );
  const said = { key, speaker: speakerOf(state, call), thoughts };
  const drafts = isSilent ? [] : describeWords(parts, said);
  return tellSummarized({ ...state, tools: [...state.tools, ...tools] }, call, drafts);
}

/** Names the place of each call: the event, and for a repeated name also its index. */
function numberRepeated(ids: readonly string[], sequence: number): string[] {
  return ids.map((id, index) =>
    ids.indexOf(id) === index ? `${sequence}` : `${sequence}.${index}`,
  );
}

type Speaker = "assistant-message" | "other-agent-message";

/** A prompt that serves a tool of another one is another agent. */
function speakerOf(state: SessionState, call: string): Speaker {
  const serving = new Set(state.tools.flatMap((tool) => tool.call ?? []));
  return isWithin(state, call, serving) ? "other-agent-message" : "assistant-message";
}

interface SaidWords {
  readonly key: string;
  readonly speaker: Speaker;
  /** How long the model wrote at its thoughts, where that was measured. */
  readonly thoughts: readonly ReasoningTime[];
}

function describeWords(
  parts: readonly JsonValue[],
  { key, speaker, thoughts }: SaidWords,
): EnvelopeDraft[] {
  const sources = parts.flatMap(readSource).slice(0, ANSWER_SOURCES_MAX);
  const files = parts.flatMap(readFile);
  const last = parts.findLastIndex(hasWords);
  // Files without a word are shown all the same.
  const silent = { content: { text: "", files }, message: `${key}.${parts.findIndex(isFile)}` };
  if (last < 0 && files.length > 0) return [{ type: speaker, ...silent }];
  return parts.flatMap((part, index): EnvelopeDraft[] => {
    if (!isPlainObject(part) || typeof part["text"] !== "string" || part["text"] === "") return [];
    const { text } = part;
    const rests = {
      ...(index === last && sources.length > 0 ? { sources } : {}),
      ...(index === last && files.length > 0 ? { files } : {}),
    };
    const said = { content: { text, ...rests }, message: `${key}.${index}` };
    if (part["kind"] === "reasoning")
      return [{ type: "reasoning", ...said, content: { text, ...findTime(thoughts, index) } }];
    return part["kind"] === "text" ? [{ type: speaker, ...said }] : [];
  });
}

function hasWords(part: JsonValue): boolean {
  return isPlainObject(part) && part["kind"] === "text" && part["text"] !== "";
}

/** The sources of an answer belong to all of it. */
function readSource(part: JsonValue): AnswerSource[] {
  if (!isPlainObject(part) || part["kind"] !== "source") return [];
  const { kind: _, ...source } = part;
  // It was taken as one when the answer was.
  return [source as unknown as AnswerSource];
}

function isFile(part: JsonValue): boolean {
  return isPlainObject(part) && part["kind"] === "file";
}

/** A file that the model made belongs to all of its answer, too. */
function readFile(part: JsonValue): FileRef[] {
  if (!isPlainObject(part) || part["kind"] !== "file") return [];
  const { kind: _, providerData: __, ...file } = part;
  return isFileRef(file) ? [file] : [];
}

function findTime(
  thoughts: readonly ReasoningTime[],
  part: number,
): { readonly durationMs?: number } {
  const durationMs = thoughts.find((time) => time.part === part)?.durationMs;
  return durationMs === undefined ? {} : { durationMs };
}

function isToolCall(part: JsonValue): part is AskedTool {
  return isPlainObject(part) && part["kind"] === "tool-call";
}

type AskedTool = JsonObject & {
  readonly [Field in "toolCallId" | "toolName" | "input"]: JsonValue;
};

interface Place extends Pick<OpenTool, "index" | "total"> {
  readonly asker: string;
  readonly place: string;
}

function openTool({ toolCallId, toolName, input }: AskedTool, place: Place): OpenTool {
  const { asker, index, total } = place;
  return {
    ...emptyTool,
    // Providers use a name again in a later answer; in a session each call has its own.
    toolCallId: `${textOf(toolCallId)}@${place.place}`,
    givenId: textOf(toolCallId),
    toolName: textOf(toolName),
    args: parseArguments(textOf(input)),
    asker,
    index,
    total,
  };
}

/** Invalid JSON is shown as the model wrote it. */
function parseArguments(text: string): JsonValue {
  // A model may call a tool without arguments with an empty text.
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
