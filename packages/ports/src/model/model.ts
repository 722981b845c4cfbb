/**
 * A model, at the level of one request: messages in, one answer out.
 *
 * The shape follows the AI SDK's provider interface, so that every provider package fits, and
 * leaves out what belongs to the runtime: no retry, no loop, no execution of tools.
 */
import type { EntryOrigin, JsonObject, JsonSchema, JsonValue, Reasoning } from "@turnseal/protocol";
import type { AnswerSource } from "@turnseal/protocol/events";
import type { FileRef } from "@turnseal/protocol/files";

export interface Model {
  /** The name that answers when a request names none. */
  readonly defaultModel: string;
  /** True where it tells `onFirstPiece`: only such a model can be given up for its silence. */
  readonly tellsFirstPiece?: true;
  /**
   * The media types of files that it can be shown, such as `image/*`, where it says so: what is not
   * among them is refused before anything is sent.
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
   * MUST, where it has `tellsFirstPiece`, call `onFirstPiece` when the first part of the answer, of
   * whatever kind, has come.
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
  /** What only one provider knows, by its name. MUST NOT make a provider keep anything. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  readonly signal: AbortSignal;
  /** Whoever watches the answer come. It is told, never asked, and MUST NOT throw. */
  readonly onDelta?: (delta: ModelDelta) => void;
  /** Whoever waits for the answer to begin. It MUST NOT throw, and may be told more than once. */
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

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | {
      readonly role: "user";
      readonly text: string;
      /** Who says it, where it is no word of the user. It is not sent. */
      readonly origin?: EntryOrigin;
      /** Shown after the text, in this order. */
      readonly files?: readonly FileRef[];
    }
  | {
      readonly role: "assistant";
      readonly content: readonly ModelContent[];
      /** The backend and the model that gave it, where it is kept. It is not sent. */
      readonly by?: string;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: JsonValue;
      /** Shown after the result, in this order. */
      readonly files?: readonly FileRef[];
    };

export type ModelContent =
  | ({ readonly kind: "text"; readonly text: string } & ReturnedToProvider)
  | ({ readonly kind: "reasoning"; readonly text: string } & ReturnedToProvider)
  | ({
      readonly kind: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The arguments as the model wrote them: not parsed, not trusted. */
      readonly input: string;
    } & ReturnedToProvider)
  /** A file that the model made. */
  | ({ readonly kind: "file" } & FileRef & ReturnedToProvider)
  /** What the answer rests on, as the provider says. It is kept, and never sent back. */
  | ({ readonly kind: "source" } & AnswerSource);

interface ReturnedToProvider {
  /**
   * What the provider wants back with this part in later requests, such as the signature of a
   * thought. Nobody else reads it.
   */
  readonly providerData?: JsonObject;
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
  /** The name that the provider says answered, when it says so. */
  readonly answeredBy?: string;
}

/** What a request cost. Left out: the provider did not say, which is not the same as nothing. */
export interface ModelUsage {
  /** All that was read, also from a cache of the provider. */
  readonly inputTokens?: number;
  /** All that was written, with thoughts. */
  readonly outputTokens?: number;
  /** Of the input, what a cache of the provider held. */
  readonly cacheReadTokens?: number;
  /** Of the input, what was put into one. */
  readonly cacheWriteTokens?: number;
  /** Of the output, thoughts. */
  readonly reasoningTokens?: number;
}
