import type { BackendReply, DeclaredBackend, ReplyPart } from "@turnseal/conformance/program";
import {
  type Model,
  ModelError,
  type ModelRequest,
  type ScriptedReply,
  scriptedModel,
} from "@turnseal/ports";
import type { JsonValue, ModelContent } from "@turnseal/protocol";
import { describeMessages, toFileToTake } from "./given-files.ts";

/** The reported facts of one request to a backend. */
export interface SeenBackendRequest {
  readonly backend: string;
  readonly model: string;
  readonly prompt: string;
  readonly system?: string;
  /** The results of tools in earlier rounds. */
  readonly results?: readonly JsonValue[];
  /** The whole conversation, as it was sent. */
  readonly messages: readonly object[];
}

/** A model that gives the replies of a script in order, and reports each request. */
export function createScriptedBackend(
  backend: string,
  script: readonly BackendReply[] | DeclaredBackend,
  report: (request: SeenBackendRequest) => void,
): Model {
  const { replies, takes } = "replies" in script ? script : { replies: script };
  // A file of a reply belongs to the asking run: its name is known only then.
  const given: ScriptedReply[] = [];
  const scripted = scriptedModel(given);
  return {
    defaultModel: scripted.defaultModel,
    ...(takes === undefined ? {} : { takes }),
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
      const messages = describeMessages(request);
      report({
        backend,
        model: request.model,
        prompt: texts.user,
        ...system,
        ...results,
        messages,
      });
      const reply = replies[given.length];
      if (reply !== undefined) {
        given.push(toScriptedReply(reply, request));
        return scripted.generate(request);
      }
      const message = `the script of ${backend} has no more replies`;
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "never", message });
    },
  };
}

function toScriptedReply(reply: BackendReply, request: ModelRequest): ScriptedReply {
  const { text, json, failure, toolCalls, parts, pieces, broken, hang, usage } = reply;
  if (failure !== undefined) return { failure };
  if (toolCalls !== undefined) return { toolCalls };
  if (hang === true) return { silence: true };
  if (broken === true) return { pieces: breakOff() };
  const spent = usage === undefined ? {} : { usage };
  if (parts !== undefined) {
    const content = parts.flatMap((part) => toContent(part, request) ?? []);
    return { content, ...spent };
  }
  if (pieces !== undefined) return { pieces, ...spent };
  return text === undefined ? { json, ...spent } : { text, ...spent };
}

function* breakOff(): Iterable<string> {
  yield "and so";
  throw new Error("the script breaks off");
}

/** Undefined for a file that is not taken. */
function toContent(
  { text, reasoning, file, toolCall }: ReplyPart,
  { takeFile }: ModelRequest,
): ModelContent | undefined {
  if (file !== undefined) {
    const taken = takeFile?.(toFileToTake(file));
    return taken === undefined ? undefined : { kind: "file", ...taken };
  }
  if (toolCall !== undefined) {
    const { id, tool, input } = toolCall;
    return { kind: "tool-call", toolCallId: id, toolName: tool, input };
  }
  if (reasoning !== undefined) return { kind: "reasoning", text: reasoning };
  return { kind: "text", text: text ?? "" };
}
