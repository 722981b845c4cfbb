import type { BackendReply } from "@turnseal/conformance";
import { type Model, ModelError, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";

/** What the suite wants to know about one request to a backend. */
export interface SeenBackendRequest {
  readonly backend: string;
  readonly model: string;
  readonly prompt: string;
  readonly system?: string;
  /** What the tools of earlier rounds answered. */
  readonly results?: readonly JsonValue[];
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
      report({ backend, model: request.model, prompt: texts.user, ...system, ...results });
      if (scripted.requests.length < replies.length) return scripted.generate(request);
      const message = `the script of ${backend} has no more replies`;
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "never", message });
    },
  };
}

function toScriptedReply(reply: BackendReply): ScriptedReply {
  const { text, json, failure, toolCalls, hang, usage } = reply;
  if (failure !== undefined) return { failure };
  if (toolCalls !== undefined) return { toolCalls };
  if (hang === true) return { silence: true };
  const spent = usage === undefined ? {} : { usage };
  return text === undefined ? { json, ...spent } : { text, ...spent };
}
