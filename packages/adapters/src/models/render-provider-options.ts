/**
 * The options of a request for single providers.
 *
 * 1. No request keeps state at a provider. The recorded context is the sent context, also under
 *    another account or after the provider forgot. With this option, packages ask for the model's
 *    encrypted thoughts, to send them back.
 * 2. A request that names its own options has them as it wrote them, but for that.
 */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "@turnseal/ports";
import {
  EFFORT_TOKENS,
  type JsonObject,
  REASONING_EFFORTS,
  type Reasoning,
  type ReasoningEffort,
} from "@turnseal/protocol";

type Options = Readonly<Record<string, JsonObject>>;

/** Providers that keep requests by default. */
const KEEPERS = ["openai", "google", "xai"];
// The strict mode of these packages takes only a subset of JSON Schema and refuses the request
// otherwise. The runtime checks every answer against the whole schema itself, so the provider only
// has to follow it as far as it can.
const LENIENT_SCHEMA: Options = {
  openai: { strictJsonSchema: false },
  openaiCompatible: { strictJsonSchema: false },
};

export function renderProviderOptions(
  request: Pick<ModelRequest, "outputSchema" | "providerOptions" | "reasoning">,
): SharedV4ProviderOptions {
  const { outputSchema, providerOptions = {}, reasoning } = request;
  const isStructured = typeof outputSchema === "object";
  const layers = [
    isStructured ? LENIENT_SCHEMA : {},
    reasoning?.budgetTokens === undefined ? {} : renderBudget(reasoning.budgetTokens),
    providerOptions,
    ...KEEPERS.map((provider) => ({ [provider]: { store: false } })),
    // Azure reads the options of OpenAI if it has none of its own.
    ...(Object.hasOwn(providerOptions, "azure") ? [{ azure: { store: false } }] : []),
  ];
  return layers.reduce(mergeOptions, {}) as SharedV4ProviderOptions;
}

function mergeOptions(before: Options, added: Options): Options {
  const merged = Object.entries(added).map(([provider, fields]) => {
    const known = Object.hasOwn(before, provider) ? before[provider] : {};
    return [provider, { ...known, ...fields }] as const;
  });
  return { ...before, ...Object.fromEntries(merged) };
}

// A provider that counts thoughts in tokens gets the number; for one that knows only levels, the
// nearest level is in the request itself.
function renderBudget(budgetTokens: number): Options {
  return {
    anthropic: { thinking: { type: "enabled", budgetTokens } },
    google: { thinkingConfig: { thinkingBudget: budgetTokens } },
  };
}

/** The effort itself, or the smallest that has room for so many tokens. */
export function toEffort(reasoning: Reasoning): ReasoningEffort {
  const { effort, budgetTokens } = reasoning;
  if (effort !== undefined) return effort;
  return REASONING_EFFORTS.find((level) => EFFORT_TOKENS[level] >= budgetTokens) ?? "max";
}
