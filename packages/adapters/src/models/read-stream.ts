/**
 * Reads the stream of an AI SDK language model to its end.
 *
 * 1. The whole answer comes out, or a `ModelError`: a stream that breaks off, or ends without
 *    saying why, is a failure and never a shorter answer.
 * 2. Every piece belongs to a part of the content: a part gets its number with its first piece, and
 *    keeps it.
 * 3. After an abort it sends no more pieces, and drops the connection.
 */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelDelta, ModelRequest, ModelResult } from "@turnseal/ports";
import { STREAM_PARTS_MAX } from "./answer-limits.ts";
import { createDraft } from "./draft.ts";
import { answerError, toModelError } from "./to-model-error.ts";

export interface StreamContext {
  readonly backend: string;
  /** True for a JSON answer. */
  readonly isStructured: boolean;
  readonly onDelta?: ((delta: ModelDelta) => void) | undefined;
  readonly onFirstPiece?: (() => void) | undefined;
  readonly takeFile?: ModelRequest["takeFile"] | undefined;
  readonly signal: AbortSignal;
}

/** The answer, told piece by piece while it comes. */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  context: StreamContext,
): Promise<ModelResult> {
  const { backend, signal, onFirstPiece } = context;
  const draft = createDraft(context);
  const reader = stream.getReader();
  const giveUp = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    for (let count = 0; ; count++) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return draft.close();
      if (count >= STREAM_PARTS_MAX) throw answerError("MODEL_ANSWER_TOO_LARGE", backend);
      // The package begins a stream by itself, before the provider has said anything.
      if (value.type !== "stream-start") onFirstPiece?.();
      draft.add(value);
    }
  } catch (error) {
    throw toModelError(error, { backend, isAborted: signal.aborted, hasBegun: true });
  } finally {
    signal.removeEventListener("abort", giveUp);
    giveUp();
  }
}
