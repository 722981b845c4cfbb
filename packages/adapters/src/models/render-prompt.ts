/**
 * Messages in the words of the AI SDK's provider interface.
 *
 * 1. Results that follow each other answer the same assistant message, and some providers take them
 *    only together.
 * 2. Files of a result stand in the result. A provider in the shape of chat completions takes text
 *    there and nothing else: it is shown them in a message of the user's role, after the results.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { ModelError, type ModelRequest } from "@turnseal/ports";
import {
  canonicalize,
  isPlainObject,
  type ModelContent,
  type ModelMessage,
} from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

export interface PromptShape {
  /** False for a provider that takes nothing but text as the result of a tool. */
  readonly takesToolFiles: boolean;
}

type RenderFile = (file: FileRef) => LanguageModelV4FilePart;

export function renderPrompt(
  { messages, files }: Pick<ModelRequest, "messages" | "files">,
  { takesToolFiles }: PromptShape,
): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = [];
  const render: RenderFile = (file) => renderFile(file, files);
  let waiting: readonly FileRef[] = [];
  const showWaiting = (): void => {
    if (waiting.length > 0) prompt.push(showFiles(waiting, render));
    waiting = [];
  };
  for (const given of messages) {
    if (given.role !== "tool") showWaiting();
    const { message, apart } = takesToolFiles ? { message: given, apart: [] } : partFiles(given);
    waiting = [...waiting, ...apart];
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") {
      last.content.push(renderToolResult(message, render));
    } else {
      prompt.push(renderMessage(message, render));
    }
  }
  showWaiting();
  return prompt;
}

function partFiles(message: ModelMessage): {
  readonly message: ModelMessage;
  readonly apart: readonly FileRef[];
} {
  if (message.role !== "tool" || message.files === undefined) return { message, apart: [] };
  const { files, ...bare } = message;
  return { message: bare, apart: files };
}

function showFiles(files: readonly FileRef[], render: RenderFile): LanguageModelV4Message {
  const text = "[The files of the results above.]";
  return { role: "user", content: [{ type: "text", text }, ...files.map(render)] };
}

function renderMessage(message: ModelMessage, render: RenderFile): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: renderWords(message, render) };
    case "assistant":
      return {
        role: "assistant",
        content: message.content.flatMap((part) => renderPart(part, render)),
      };
    case "tool":
      return { role: "tool", content: [renderToolResult(message, render)] };
  }
}

function renderWords(
  { text, files = [] }: Extract<ModelMessage, { role: "user" }>,
  render: RenderFile,
): Extract<LanguageModelV4Message, { role: "user" }>["content"] {
  // Providers refuse a text of nothing, and beside a file there need not be one.
  const isSilent = text === "" && files.length > 0;
  return [...(isSilent ? [] : [{ type: "text", text } as const]), ...files.map(render)];
}

function renderFile(
  { file, mediaType, name }: FileRef,
  files: ModelRequest["files"],
): LanguageModelV4FilePart {
  const data = files?.get(file);
  // The caller gives the bytes of every file: without them the request is not sent.
  if (data === undefined)
    throw new ModelError({
      ...{ code: "MODEL_REFUSED", retry: "never" },
      message: "a file of the request has no bytes",
    });
  return {
    type: "file",
    data: { type: "data", data },
    mediaType,
    ...(name !== undefined && { filename: name }),
  };
}

function renderPart(part: ModelContent, render: RenderFile): AssistantMessage["content"] {
  // A provider sends the sources of its answer, but does not take them back.
  if (part.kind === "source") return [];
  const options = renderProviderData(part);
  switch (part.kind) {
    case "text":
    case "reasoning":
      return [{ type: part.kind, text: part.text, ...options }];
    case "file":
      return [{ ...render(part), ...options }];
    case "tool-call": {
      const { toolCallId, toolName } = part;
      const input = parseToolInput(part.input);
      return [{ type: "tool-call", toolCallId, toolName, input, ...options }];
    }
  }
}

// A provider's data of a part stands under its own name, so that only it reads it.
function renderProviderData({ providerData }: Exclude<ModelContent, { kind: "source" }>) {
  if (providerData === undefined) return {};
  return { providerOptions: providerData as SharedV4ProviderOptions };
}

// Providers take back an object only. Other input of the model is kept as text, so that it sees its
// own mistake.
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

function renderToolResult(
  { toolCallId, toolName, result, files = [] }: ToolMessage,
  render: RenderFile,
): LanguageModelV4ToolResultPart {
  const said = { type: "tool-result", toolCallId, toolName } as const;
  if (files.length > 0) {
    const text = typeof result === "string" ? result : canonicalize(result);
    const value = [{ type: "text", text } as const, ...files.map(render)];
    return { ...said, output: { type: "content", value } };
  }
  const output =
    typeof result === "string"
      ? ({ type: "text", value: result } as const)
      : ({ type: "json", value: result } as const);
  return { ...said, output };
}
