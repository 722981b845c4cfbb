import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4ToolChoice,
} from "@ai-sdk/provider";
import type { ModelRequest, ModelTool, ModelToolChoice } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { type PromptShape, renderPrompt } from "./render-prompt.ts";
import { renderProviderOptions, toEffort } from "./render-provider-options.ts";

/** The request in the words of the AI SDK's provider interface. */
export function renderCallOptions(
  request: ModelRequest,
  shape: PromptShape = { takesToolFiles: true },
): LanguageModelV4CallOptions {
  const { tools, outputSchema, signal } = request;
  return {
    prompt: renderPrompt(request, shape),
    abortSignal: signal,
    providerOptions: renderProviderOptions(request),
    ...(tools !== undefined && tools.length > 0 && { tools: tools.map(renderTool) }),
    ...renderSettings(request),
    // A schema that is only `true` or `false` says nothing about the shape of an answer.
    ...(typeof outputSchema === "object" && {
      responseFormat: { type: "json", schema: toProviderSchema(outputSchema) },
    }),
  };
}

function renderSettings(request: ModelRequest): Partial<LanguageModelV4CallOptions> {
  const { maxOutputTokens, temperature, topP, stop, seed, toolChoice, reasoning } = request;
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(toolChoice !== undefined && { toolChoice: renderToolChoice(toolChoice) }),
    ...(reasoning !== undefined && { reasoning: toEffort(reasoning) }),
  };
}

function renderToolChoice(choice: ModelToolChoice): LanguageModelV4ToolChoice {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };
}

function renderTool({ name, description, inputSchema }: ModelTool) {
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    inputSchema: toProviderSchema(inputSchema),
  } as const;
}

// The AI SDK types a schema as draft 7 but hands it on as it is.
function toProviderSchema(schema: JsonObject): JSONSchema7 {
  return schema as JSONSchema7;
}
