import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolChoice,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type {
  ModelContent,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelToolChoice,
} from "@turnseal/ports";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { renderProviderOptions, toEffort } from "./render-provider-options.ts";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

/** The request in the words of the AI SDK's provider interface. */
export function renderCallOptions(request: ModelRequest): LanguageModelV4CallOptions {
  const { messages, tools, outputSchema, signal } = request;
  return {
    prompt: renderPrompt(messages),
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

// Results that follow each other answer the same assistant message, and some providers take them
// only together.
function renderPrompt(messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") {
      last.content.push(renderToolResult(message));
    } else {
      prompt.push(renderMessage(message));
    }
  }
  return prompt;
}

function renderMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return { role: "assistant", content: message.content.flatMap(renderPart) };
    case "tool":
      return { role: "tool", content: [renderToolResult(message)] };
  }
}

function renderPart(part: ModelContent): AssistantMessage["content"] {
  // A provider says what its answer rests on; it does not take it back.
  if (part.kind === "source") return [];
  const options = renderProviderData(part);
  switch (part.kind) {
    case "text":
    case "reasoning":
      return [{ type: part.kind, text: part.text, ...options }];
    case "tool-call": {
      const { toolCallId, toolName } = part;
      const input = parseToolInput(part.input);
      return [{ type: "tool-call", toolCallId, toolName, input, ...options }];
    }
  }
}

// What a provider attached to a part stands under its own name, so that only it reads it.
function renderProviderData({ providerData }: Exclude<ModelContent, { kind: "source" }>) {
  if (providerData === undefined) return {};
  return { providerOptions: providerData as SharedV4ProviderOptions };
}

// Providers take back an object only. What the model wrote instead of one is kept, so that it sees
// its own mistake.
function parseToolInput(input: string): unknown {
  if (input.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(input);
    if (isPlainObject(parsed)) return parsed;
  } catch {
    // Handled below, together with JSON that is no object.
  }
  return { unparsed: input };
}

function renderToolResult({
  toolCallId,
  toolName,
  result,
}: ToolMessage): LanguageModelV4ToolResultPart {
  const output =
    typeof result === "string"
      ? ({ type: "text", value: result } as const)
      : ({ type: "json", value: result } as const);
  return { type: "tool-result", toolCallId, toolName, output };
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
