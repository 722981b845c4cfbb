/** How a prompt wants to be answered, in the words of a request. */
import type { ModelRequest, ModelTool, ModelToolChoice } from "@turnseal/ports";
import type { PromptSpec } from "@turnseal/protocol";
import { isChosen } from "../definition/check-prompt-settings.ts";

type Settings = Pick<
  ModelRequest,
  | "maxOutputTokens"
  | "temperature"
  | "topP"
  | "stop"
  | "seed"
  | "toolChoice"
  | "reasoning"
  | "providerOptions"
>;

/** The settings of a prompt; `tools` are the offered ones, in their order. */
export function renderSettings(prompt: PromptSpec, tools: readonly ModelTool[]): Settings {
  const { maxTokens, temperature, topP, stop, seed, reasoning, providerOptions } = prompt;
  return {
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...renderToolChoice(prompt, tools),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

function renderToolChoice(
  { toolChoice, tools: offered = [] }: PromptSpec,
  tools: readonly ModelTool[],
): { readonly toolChoice?: ModelToolChoice } {
  if (toolChoice === undefined) return {};
  if (typeof toolChoice === "string") return { toolChoice };
  const tool = tools[offered.findIndex((reference) => isChosen(reference, toolChoice))];
  return tool === undefined ? {} : { toolChoice: { tool: tool.name } };
}

/**
 * The request in a later round of its call: a model that always must ask for a tool would never
 * answer.
 */
export function easeToolChoice<Request extends Settings>(request: Request): Request {
  const { toolChoice, ...rest } = request;
  const isEased = toolChoice === "required" || typeof toolChoice === "object";
  // The rest has every field that the caller's type requires.
  return isEased ? (rest as Request) : request;
}
