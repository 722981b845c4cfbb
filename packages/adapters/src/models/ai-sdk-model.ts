/**
 * Any provider of the AI SDK, as a model.
 *
 * 1. One `generate` is one `doGenerate`, or one `doStream` for a watcher or a listener for the
 *    first piece: the provider layer neither retries nor loops nor runs tools.
 * 2. An abort ends the wait at once, also when the provider does not listen to its signal.
 * 3. Only a `ModelError` leaves this file, and nothing of the provider's own error goes with it.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type Model, ModelError, type ModelRequest, type ModelResult } from "@turnseal/ports";
import { parseAnswer } from "./parse-answer.ts";
import { readStream } from "./read-stream.ts";
import { renderCallOptions } from "./render-call-options.ts";
import { toModelError } from "./to-model-error.ts";

/** The part of an AI SDK provider that a model needs. */
export interface AiSdkProvider {
  languageModel(modelId: string): LanguageModelV4;
}

export interface AiSdkModelOptions {
  readonly defaultModel: string;
  readonly takes?: readonly string[];
  /** The tokens that a request may have: of every model, or by its name. No provider says it. */
  readonly contextTokens?: number | Readonly<Record<string, number>>;
}

/**
 * Binds a provider of the AI SDK to the model port.
 *
 * @example
 * const provider = createOpenAI({ apiKey, fetch: boundedFetch });
 * const model = aiSdkModel(provider, { defaultModel: "gpt-5.4-mini" });
 */
export function aiSdkModel(
  provider: AiSdkProvider,
  { defaultModel, takes, contextTokens }: AiSdkModelOptions,
): Model {
  return {
    defaultModel,
    tellsFirstPiece: true,
    ...(contextTokens !== undefined && { contextTokens: readTokens(contextTokens) }),
    ...(takes !== undefined && { takes }),
    generate: async (request) => {
      const { signal } = request;
      let backend = "the AI SDK provider";
      try {
        signal.throwIfAborted();
        const languageModel = provider.languageModel(request.model);
        backend = languageModel.provider;
        checkVersion(languageModel);
        return await untilAborted(() => ask(languageModel, request), signal);
      } catch (error) {
        throw toModelError(error, { backend, isAborted: signal.aborted });
      }
    },
  };
}

function readTokens(
  contextTokens: NonNullable<AiSdkModelOptions["contextTokens"]>,
): NonNullable<Model["contextTokens"]> {
  if (typeof contextTokens === "number") return () => contextTokens;
  return (name) => (Object.hasOwn(contextTokens, name) ? contextTokens[name] : undefined);
}

async function ask(languageModel: LanguageModelV4, request: ModelRequest): Promise<ModelResult> {
  const { onDelta, onFirstPiece, outputSchema, signal } = request;
  const { provider: backend } = languageModel;
  // A package of chat completions would write the bytes out as text.
  const options = renderCallOptions(request, { takesToolFiles: !backend.endsWith(".chat") });
  const { takeFile } = request;
  const context = { backend, isStructured: outputSchema !== undefined, takeFile };
  if (onDelta === undefined && onFirstPiece === undefined)
    return parseAnswer(await languageModel.doGenerate(options), context);
  const { stream } = await languageModel.doStream(options);
  return readStream(stream, { ...context, onDelta, onFirstPiece, signal });
}

/** Binds one language model of the AI SDK. It answers to its own name only. */
export function aiSdkLanguageModel(languageModel: LanguageModelV4): Model {
  const { modelId, provider } = languageModel;
  const languageModelNamed = (name: string) => {
    if (name === modelId) return languageModel;
    throw new ModelError({
      code: "MODEL_NOT_FOUND",
      retry: "never",
      message: `${provider} is bound to one model, and another one was asked for`,
    });
  };
  return aiSdkModel({ languageModel: languageModelNamed }, { defaultModel: modelId });
}

// A package of an earlier major has the same methods but counts usage in another shape, which would
// be read as none.
function checkVersion({ specificationVersion, provider }: LanguageModelV4): void {
  if (specificationVersion === "v4") return;
  throw new ModelError({
    code: "MODEL_REFUSED",
    retry: "never",
    message: `${provider} does not implement version 4 of the AI SDK's provider interface`,
  });
}

function untilAborted<Answer>(
  ask: () => PromiseLike<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([ask(), aborted.promise]).finally(() =>
    signal.removeEventListener("abort", stop),
  );
}
