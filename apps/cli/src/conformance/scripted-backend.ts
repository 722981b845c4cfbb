import type { BackendReply } from "@turnseal/conformance";
import { type Model, ModelError, type ScriptedReply, scriptedModel } from "@turnseal/ports";

/** What the suite wants to know about one request to a backend. */
export interface SeenBackendRequest {
  readonly backend: string;
  readonly model: string;
  readonly prompt: string;
  readonly system?: string;
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
      report({ backend, model: request.model, prompt: texts.user, ...system });
      if (scripted.requests.length < replies.length) return scripted.generate(request);
      const message = `the script of ${backend} has no more replies`;
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "never", message });
    },
  };
}

function toScriptedReply({ text, json, failure, usage }: BackendReply): ScriptedReply {
  if (failure !== undefined) return { failure };
  const spent = usage === undefined ? {} : { usage };
  return text === undefined ? { json, ...spent } : { text, ...spent };
}
