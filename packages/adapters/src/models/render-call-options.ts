import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelContent, ModelMessage, ModelRequest, ModelTool } from "@turnseal/ports";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

// Nothing is kept at the provider, so that the context that is recorded is the context that is
// sent, also by another account or after the provider forgot.
const NOTHING_STORED = { openai: { store: false } };
// The strict mode of these packages takes only a subset of JSON Schema and refuses the request
// otherwise. The runtime checks every answer against the whole schema itself, so the provider is
// asked to follow it as far as it can.
const LENIENT_SCHEMA = { strictJsonSchema: false };
const STRUCTURED = {
  openai: { ...NOTHING_STORED.openai, ...LENIENT_SCHEMA },
  openaiCompatible: LENIENT_SCHEMA,
};

/** The request in the words of the AI SDK's provider interface. */
export function renderCallOptions(request: ModelRequest): LanguageModelV4CallOptions {
  const { messages, tools, outputSchema, maxOutputTokens, temperature, signal } = request;
  return {
    prompt: renderPrompt(messages),
    abortSignal: signal,
    providerOptions: NOTHING_STORED,
    ...(tools !== undefined && tools.length > 0 && { tools: tools.map(renderTool) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    // A schema that is only `true` or `false` says nothing about the shape of an answer.
    ...(typeof outputSchema === "object" && {
      responseFormat: { type: "json", schema: toProviderSchema(outputSchema) },
      providerOptions: STRUCTURED,
    }),
  };
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
      return { role: "assistant", content: message.content.map(renderPart) };
    case "tool":
      return { role: "tool", content: [renderToolResult(message)] };
  }
}

function renderPart(part: ModelContent): AssistantMessage["content"][number] {
  const options = renderProviderData(part);
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text, ...options };
    case "reasoning":
      return { type: "reasoning", text: part.text, ...options };
    case "tool-call": {
      const { toolCallId, toolName, input } = part;
      return { type: "tool-call", toolCallId, toolName, input: parseToolInput(input), ...options };
    }
  }
}

// What a provider attached to a part stands under its own name, so that only it reads it.
function renderProviderData({ providerData }: ModelContent) {
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
