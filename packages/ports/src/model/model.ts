/**
 * A model, at the level of one request: messages in, one answer out.
 *
 * The shape follows the AI SDK's provider interface, so that every provider package fits. It leaves
 * out the runtime's part: no retry, no loop, no execution of tools.
 */
import type {
  JsonObject,
  JsonSchema,
  ModelContent,
  ModelMessage,
  Reasoning,
} from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";

export interface Model {
  /** The name that answers when a request names none. */
  readonly defaultModel: string;
  /** True where it calls `onFirstPiece`: only such a model can be given up for its silence. */
  readonly tellsFirstPiece?: true;
  /**
   * The media types of files that it takes, such as `image/*`, if it declares them: other files are
   * refused before anything is sent.
   */
  readonly takes?: readonly string[];

  /**
   * The most tokens that a model of this name can read and write in one request, where that is
   * known. MUST answer the same for the same name, and at once.
   */
  contextTokens?(model: string): number | undefined;

  /**
   * Sends one request and waits for the whole answer.
   * MUST make at most one request to the provider: a failure is reported, never retried.
   * MUST reject with a `ModelError` when the provider fails, and promptly when `signal` is aborted.
   * MUST NOT reject with a code that says that nothing was processed (`isUnprocessed`) where the
   * provider may have worked on the request: such a failure costs nothing.
   * MUST report usage as safe integers, at least zero, and leave out what the provider did not say.
   * MUST, when the request has `onDelta`, tell each piece of text and reasoning as it arrives: the
   * pieces of one content part, joined, are its text. MAY tell nothing where the provider cannot
   * stream.
   * MUST, where it has `tellsFirstPiece`, call `onFirstPiece` when the first part of the answer has
   * come, a text or another.
   * MUST NOT execute a tool.
   */
  generate(request: ModelRequest): Promise<ModelResult>;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  /** The bytes of every file in the messages, by its digest. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /**
   * Takes a file of the answer, and gives the name under which it is part of the content; undefined
   * for what is no file that can be kept. Without it the files of an answer are left out.
   */
  readonly takeFile?: (file: FileToTake) => FileRef | undefined;
  readonly tools?: readonly ModelTool[];
  /** Asks for JSON of this schema instead of text. */
  readonly outputSchema?: JsonSchema;
  /** Without what `reasoning` may take, where the provider counts thoughts apart. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly toolChoice?: ModelToolChoice;
  readonly reasoning?: Reasoning;
  /** Options of single providers, by their names. MUST NOT make a provider keep state. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  readonly signal: AbortSignal;
  /** Watches the answer come. It has no influence on it, and MUST NOT throw. */
  readonly onDelta?: (delta: ModelDelta) => void;
  /** Called when the answer begins, possibly more than once. It MUST NOT throw. */
  readonly onFirstPiece?: () => void;
}

export interface FileToTake {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name?: string;
}

/** A piece of an answer that is still being written. */
export interface ModelDelta {
  readonly kind: "text" | "reasoning";
  /** Which part of the content it belongs to, from zero. */
  readonly part: number;
  readonly text: string;
}

export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** Whether the model may ask for tools, must, or must ask for the one of this name. */
export type ModelToolChoice = "auto" | "none" | "required" | { readonly tool: string };

export const FINISH_REASONS = [
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "other",
] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export interface ModelResult {
  readonly content: readonly ModelContent[];
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  /** The model's own name in the provider's answer, if it has one. */
  readonly answeredBy?: string;
}

/** The usage of a request. An absent field is unknown, which is not the same as zero. */
export interface ModelUsage {
  /** All that was read, also from a cache of the provider. */
  readonly inputTokens?: number;
  /** All that was written, with thoughts. */
  readonly outputTokens?: number;
  /** The part of the input that came from a cache of the provider. */
  readonly cacheReadTokens?: number;
  /** The part of the input that was written to one. */
  readonly cacheWriteTokens?: number;
  /** Of the output, thoughts. */
  readonly reasoningTokens?: number;
}
