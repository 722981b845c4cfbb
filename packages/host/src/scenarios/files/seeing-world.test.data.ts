/** Runs whose model is shown files, on memory stores: what it was sent, told by the bytes. */
import {
  createMemorySigner,
  type Model,
  type ModelRequest,
  memoryStores,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import {
  type ContentOf,
  type JsonValue,
  type ModelContent,
  type ModelMessage,
  sha256Hex,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { FileRef } from "@turnseal/protocol/files";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import type { StartOptions } from "../../messages/start-message.ts";

export const signer = await createMemorySigner();

/** A picture that differs by its last byte; only its head is ever read. */
export function picture(mark: number): Uint8Array {
  const head = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ];
  return Uint8Array.from([...head, 0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0, mark]);
}
export function document(length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}
export const png = (mark: number) => ({ mediaType: "image/png", bytes: picture(mark) });
export const pdf = (length: number) => ({ mediaType: "application/pdf", bytes: document(length) });

export interface Message {
  readonly words: string;
  readonly photo?: FileRef | null;
  readonly more?: readonly FileRef[];
}

export const draw = defineTool({
  ...{ id: "draw", version: "1.0.0", implementation: "local.draw", effect: "read" },
  input: jsonSchema<{ mark: number }>({ type: "object" }),
  output: jsonSchema<{ at: number; drawn: FileRef }>({ type: "object" }),
  run: async ({ mark }, context) => ({
    at: mark,
    drawn: await context.file(picture(mark), "image/png", "drawn.png"),
  }),
});

export const agent = definePrompt({
  ...{ id: "look", version: "1.0.0", template: "{{words}}", backend: { id: "eye" } },
  input: jsonSchema<Message>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
  files: ["/photo", "/more"],
  tools: [draw],
});

/** Renders a request, message by message; a file by the digest of the bytes that came with it. */
export function describeRequest({
  messages,
  files,
}: Pick<ModelRequest, "messages" | "files">): string[] {
  const nameFile = ({ file, name = "-", mediaType }: FileRef): string =>
    `${mediaType} ${name} ${sha256Hex(files?.get(file) ?? "missing").slice(0, 8)}`;
  const namePart = (part: ModelContent): string =>
    part.kind === "file" ? nameFile(part) : part.kind;
  const tell = (message: ModelMessage): string => {
    if (message.role === "assistant") return `assistant: ${message.content.map(namePart).join()}`;
    const shown = message.role === "system" ? [] : (message.files ?? []).map(nameFile);
    const said = message.role === "tool" ? "result" : message.text;
    return [`${message.role}: ${said}`, ...shown].join(" | ");
  };
  return messages.map(tell);
}
export const marked = (mark: number, name = "-"): string =>
  `image/png ${name} ${sha256Hex(picture(mark)).slice(0, 8)}`;

export type Answer = readonly ModelContent[] | ((request: ModelRequest) => readonly ModelContent[]);
export const text = (words: string): Answer => [{ kind: "text", text: words }];
export const callDraw = (mark: number): Answer => [
  ...([{ kind: "tool-call", toolCallId: `c${mark}`, toolName: "local__draw" }] as const).map(
    (call) => ({ ...call, input: JSON.stringify({ mark }) }),
  ),
];

/** A model that answers by the number of messages, and its requests. */
export function openEye(answers: readonly Answer[], takes?: readonly string[]) {
  const requests: string[][] = [];
  const model: Model = {
    defaultModel: "eye",
    ...(takes === undefined ? {} : { takes }),
    generate: async (request) => {
      requests.push(describeRequest(request));
      const said = request.messages.filter(({ role }) => role === "assistant").length;
      const answer = answers[said] ?? text("more");
      const content = typeof answer === "function" ? answer(request) : answer;
      const finishReason = content.some(({ kind }) => kind === "tool-call") ? "tool-calls" : "stop";
      return { content, finishReason, usage: { inputTokens: 5, outputTokens: 5 } } as const;
    },
  };
  return { model, requests };
}

export const chatting: StartOptions = {
  grant: { grantor: "ada", tools: ["local.draw"], budget: {} },
  bounds: {
    awaits: ["message"],
    nextInput: { words: "$.signals.message.words", photo: "$.signals.message.photo" },
  },
};

export function openHost(model: Model, stores: Stores = memoryStores(systemClock)): LocalHost {
  return createLocalHost({ loops: [agent, draw], models: { eye: model }, stores, signer });
}

export async function closedTurns(
  host: LocalHost,
  run: string,
): Promise<ContentOf<"turn.closed">[]> {
  const closed: ContentOf<"turn.closed">[] = [];
  for await (const event of host.events(run))
    if (event.type === "turn.closed") closed.push(event.content);
  return closed;
}

export async function problemsOf(host: LocalHost, run: string): Promise<unknown> {
  for await (const event of host.events(run))
    if (event.type === "call.errored") return event.content;
  return undefined;
}
