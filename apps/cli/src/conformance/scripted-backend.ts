import type { BackendReply, ReplyPart } from "@turnseal/conformance";
import {
  type Model,
  type ModelContent,
  ModelError,
  type ModelMessage,
  type ScriptedReply,
  scriptedModel,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";

/** What the suite wants to know about one request to a backend. */
export interface SeenBackendRequest {
  readonly backend: string;
  readonly model: string;
  readonly prompt: string;
  readonly system?: string;
  /** What the tools of earlier rounds answered. */
  readonly results?: readonly JsonValue[];
  /** The whole conversation, as it was sent. */
  readonly messages: readonly ModelMessage[];
}

/** A model that gives the replies of a script in order, and reports each request. */
export function createScriptedBackend(
  backend: string,
  replies: readonly BackendReply[],
  report: (request: SeenBackendRequest) => void,
): Model {
  const scripted = scriptedModel(replies.map(toScriptedReply));
  return {
    defaultModel: scripted.defaultModel,
    generate: (request) => {
      const texts = { system: undefined as string | undefined, user: "" };
      for (const message of request.messages) {
        if (message.role === "system" || message.role === "user")
          texts[message.role] = message.text;
      }
      const system = texts.system === undefined ? {} : { system: texts.system };
      const told = request.messages.flatMap((message) =>
        message.role === "tool" ? [message.result] : [],
      );
      const results = told.length === 0 ? {} : { results: told };
      const { model, messages } = request;
      report({ backend, model, prompt: texts.user, ...system, ...results, messages });
      if (scripted.requests.length < replies.length) return scripted.generate(request);
      const message = `the script of ${backend} has no more replies`;
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "never", message });
    },
  };
}

function toScriptedReply(reply: BackendReply): ScriptedReply {
  const { text, json, failure, toolCalls, parts, pieces, broken, hang, usage } = reply;
  if (failure !== undefined) return { failure };
  if (toolCalls !== undefined) return { toolCalls };
  if (hang === true) return { silence: true };
  if (broken === true) return { pieces: breakOff() };
  const spent = usage === undefined ? {} : { usage };
  if (parts !== undefined) return { content: parts.map(toContent), ...spent };
  if (pieces !== undefined) return { pieces, ...spent };
  return text === undefined ? { json, ...spent } : { text, ...spent };
}

function* breakOff(): Iterable<string> {
  yield "and so";
  throw new Error("the script breaks off");
}

function toContent({ text, reasoning, toolCall }: ReplyPart): ModelContent {
  if (toolCall !== undefined) {
    const { id, tool, input } = toolCall;
    return { kind: "tool-call", toolCallId: id, toolName: tool, input };
  }
  if (reasoning !== undefined) return { kind: "reasoning", text: reasoning };
  return { kind: "text", text: text ?? "" };
}
