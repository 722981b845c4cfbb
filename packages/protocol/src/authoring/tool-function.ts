import type { JsonObject, JsonValue } from "../canonical-json.ts";
import type { LogLevel } from "../events/log.ts";
import type { FileRef } from "../files/file-ref.ts";
import type { ToolArtifacts } from "./tool-artifacts.ts";

/** The facts of the call that a tool serves, and its way to write to the trace. */
export interface ToolContext {
  readonly callId: string;
  /** The same for every attempt at this action: a tool that honours it acts once. */
  readonly key: string;
  /** The epoch of the worker that asks; a higher one has taken over. */
  readonly epoch: number;
  /** Aborted at the deadline and when the call is cancelled. */
  readonly signal: AbortSignal;
  /** ISO 8601: the moment from which the caller no longer waits for this tool. */
  readonly deadlineAt: string;
  /** The answer to the question of the call before (`needsAnswer`), with the state it gave. */
  readonly answered?: ToolAnswer;
  /** `tool.config` of the document. */
  readonly config: JsonObject;
  /** The secrets that the tool declares, by name. They are taken out of everything that it says. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Shows a piece of text to watchers; in a run, all of it is kept with the result. After the tool
   * has returned it does nothing.
   */
  onToolOutputDelta(delta: string): void;
  /**
   * Keeps a file with the run, and answers with what its output can say of it. Throws for what is
   * no file of this type, and outside a run.
   */
  file(bytes: Uint8Array, mediaType: string, name?: string): Promise<FileRef>;
  /** The bytes of a file that an input or an output of this run names. Throws for any other. */
  readFile(file: FileRef): Promise<Uint8Array>;
  /**
   * The files under the root that the tool declares. Everything is refused where it declares none.
   */
  readonly artifacts: ToolArtifacts;
  /** Writes a line to the trace. After the tool has returned it does nothing. */
  log(level: LogLevel, message: string): void;
  /**
   * Adds an event in a namespace of the tool's own, such as `acme.cache.hit`. Throws for a type
   * that is not its to use.
   */
  emit(type: string, payload?: JsonObject): void;
}

export interface ToolAnswer {
  /** It fits the schema of the question. */
  readonly answer: JsonValue;
  readonly state?: JsonValue;
}

/**
 * Asks a tool about the end of an earlier attempt. The epoch is that of the worker that asks, which
 * may act under the same key next.
 */
export type Reconcile = (
  key: string,
  asking: { readonly epoch: number },
) => Promise<Reconciliation> | Reconciliation;

/**
 * A tool's report on an earlier attempt. `never` promises that it now refuses this key to every
 * worker of an earlier epoch than the asking one.
 */
export type Reconciliation =
  | { readonly kind: "happened"; readonly result: JsonValue }
  | { readonly kind: "never" }
  | { readonly kind: "unsure" };

/** The function behind a tool loop. */
export type ToolFunction<Input, Output> = (
  input: Input,
  context: ToolContext,
) => Output | Promise<Output>;
