/** An answer while it is being written: the parts of a stream, folded into the content. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelDelta, ModelRequest, ModelResult } from "@turnseal/ports";
import { isPlainObject, type JsonObject, type ModelContent } from "@turnseal/protocol";
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

interface Draft {
  /** Takes the next part of the stream. Throws when the stream cannot become an answer. */
  add(part: LanguageModelV4StreamPart): void;
  /** The whole answer, once the stream has ended. */
  close(): ModelResult;
}

interface DraftContext {
  readonly backend: string;
  readonly isStructured: boolean;
  readonly onDelta?: ((delta: ModelDelta) => void) | undefined;
  readonly takeFile?: ModelRequest["takeFile"] | undefined;
}

/** A text or a thought: it has no number before there is something of it to keep. */
interface Block {
  readonly kind: ModelDelta["kind"];
  readonly pieces: string[];
  readonly isLeftOut: boolean;
  providerData: JsonObject | undefined;
  number: number | undefined;
}

type BlockPart = Extract<
  LanguageModelV4StreamPart,
  { type: `${ModelDelta["kind"]}-${"start" | "delta" | "end"}` }
>;
type ToolPart = Extract<
  LanguageModelV4StreamPart,
  { type: "tool-call" | `tool-input-${"start" | "delta" | "end"}` }
>;
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

interface State {
  readonly context: DraftContext;
  readonly content: (Block | Extract<ModelContent, { kind: "tool-call" | "source" | "file" }>)[];
  readonly open: Map<string, Block>;
  /** The length of the input so far, of tool calls that are being written. */
  readonly toolInputs: Map<string, number>;
  length: number;
  finish: Finish | undefined;
  answeredBy: string | undefined;
}

/** An empty answer. */
export function createDraft(context: DraftContext): Draft {
  const state: State = {
    context,
    content: [],
    open: new Map(),
    toolInputs: new Map(),
    length: 0,
    finish: undefined,
    answeredBy: undefined,
  };
  return { add: (part) => addPart(state, part), close: () => closeDraft(state) };
}

function addPart(state: State, part: LanguageModelV4StreamPart): void {
  switch (part.type) {
    case "text-start":
    case "text-delta":
    case "text-end":
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end":
      addToBlock(state, part);
      break;
    case "tool-input-start":
    case "tool-input-delta":
    case "tool-input-end":
    case "tool-call":
      addToTool(state, part);
      break;
    case "response-metadata":
      state.answeredBy = part.modelId || state.answeredBy;
      break;
    case "finish":
      state.finish = part;
      break;
    case "error":
      throw part.error;
    case "source":
      addSource(state, part);
      break;
    case "file":
      addFile(state, part);
      break;
    default:
    // The port has no part for tools that the provider ran itself.
  }
}

function addToBlock(state: State, part: BlockPart): void {
  const { backend, isStructured, onDelta } = state.context;
  const kind = part.type.startsWith("text") ? "text" : "reasoning";
  const key = `${kind} ${part.id}`;
  const attached = parseProviderData(part.providerMetadata).providerData;
  if (part.type === "text-start" || part.type === "reasoning-start") {
    const isLeftOut = isStructured && kind === "text" && isCommentary(attached);
    state.open.set(key, {
      kind,
      pieces: [],
      isLeftOut,
      providerData: undefined,
      number: undefined,
    });
  }
  const block = state.open.get(key);
  if (block === undefined) throw answerError("MODEL_ANSWER_INVALID", backend);
  const text = "delta" in part ? part.delta : "";
  if (typeof text !== "string") throw answerError("MODEL_ANSWER_INVALID", backend);
  grow(state, text.length + (attached === undefined ? 0 : JSON.stringify(attached).length));
  if (part.type === `${kind}-end`) state.open.delete(key);
  if (block.isLeftOut || (text === "" && attached === undefined)) return;
  block.number ??= place(state, block);
  block.providerData = mergeData(block.providerData, attached);
  if (text === "") return;
  block.pieces.push(text);
  onDelta?.({ kind, part: block.number, text });
}

// A provider may add to what it attached before: the signature of a thought comes at its end.
function mergeData(
  before: JsonObject | undefined,
  attached: JsonObject | undefined,
): JsonObject | undefined {
  if (before === undefined || attached === undefined) return attached ?? before;
  const merged = Object.entries(attached).map(([provider, fields]) => {
    const known = Object.hasOwn(before, provider) ? before[provider] : undefined;
    const isMergeable = isPlainObject(known) && isPlainObject(fields);
    return [provider, isMergeable ? { ...known, ...fields } : fields] as const;
  });
  return { ...before, ...Object.fromEntries(merged) } as JsonObject;
}

// Text before the answer is not part of its JSON.
function isCommentary(attached: JsonObject | undefined): boolean {
  return Object.values(attached ?? {}).some(
    (fields) => isPlainObject(fields) && fields["phase"] === "commentary",
  );
}

function addToTool(state: State, part: ToolPart): void {
  const { backend } = state.context;
  if (part.type === "tool-input-start") {
    if (part.providerExecuted !== true) state.toolInputs.set(part.id, 0);
  } else if (part.type === "tool-input-delta") {
    grow(state, part.delta.length);
    const written = state.toolInputs.get(part.id);
    if (written !== undefined) state.toolInputs.set(part.id, written + part.delta.length);
  } else if (part.type === "tool-call") {
    const call = parseToolCall(part);
    if (call === "invalid") throw answerError("MODEL_ANSWER_INVALID", backend);
    const written = state.toolInputs.get(part.toolCallId) ?? 0;
    state.toolInputs.delete(part.toolCallId);
    if (call === "left-out") return;
    grow(state, Math.max(0, JSON.stringify(call).length - written));
    place(state, call);
  }
}

function addSource(state: State, part: object): void {
  const source = parseSource(part);
  if (source === "left-out") return;
  grow(state, JSON.stringify(source).length);
  place(state, source);
}

function addFile(state: State, part: Extract<LanguageModelV4StreamPart, { type: "file" }>): void {
  const file = parseFile(part, state.context.takeFile);
  if (file === "left-out") return;
  grow(state, JSON.stringify(file).length);
  place(state, file);
}

function grow(state: State, length: number): void {
  state.length += length;
  if (state.length <= ANSWER_LENGTH_MAX) return;
  throw answerError("MODEL_ANSWER_TOO_LARGE", state.context.backend);
}

function place(state: State, part: State["content"][number]): number {
  if (state.content.length >= CONTENT_PARTS_MAX)
    throw answerError("MODEL_ANSWER_TOO_LARGE", state.context.backend);
  return state.content.push(part) - 1;
}

function closeDraft({ context, content, finish, toolInputs, answeredBy }: State): ModelResult {
  const { backend } = context;
  if (finish === undefined || isUnfinished(finish)) {
    throw answerError("MODEL_ANSWER_UNFINISHED", backend);
  }
  const finishReason = parseFinishReason(finish.finishReason.unified);
  // A call that the output limit cut off is no call; without that reason it is a lost one.
  if (toolInputs.size > 0 && finishReason !== "length") {
    throw answerError("MODEL_ANSWER_INVALID", backend);
  }
  return {
    content: content.map((part) => ("pieces" in part ? renderBlock(part) : part)),
    finishReason,
    usage: parseUsage(finish.usage),
    ...(answeredBy !== undefined && { answeredBy }),
  };
}

// Some packages close a stream that just ended with a reason of their own; the provider's is then
// missing.
function isUnfinished({ finishReason }: Finish): boolean {
  const { unified, raw } = finishReason;
  return unified === "interrupted" || (unified === "other" && raw === undefined);
}

function renderBlock({ kind, pieces, providerData }: Block): ModelContent {
  const text = pieces.join("");
  return { kind, text, ...(providerData !== undefined && { providerData }) };
}
