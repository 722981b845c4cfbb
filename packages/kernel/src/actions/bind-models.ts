import { type Model, scriptedModel } from "@turnseal/ports";

export type ModelBindings = Readonly<Record<string, Model>>;

/**
 * Models by the backend that prompts name. The scripted model answers where no model is bound: at
 * `scripted`, for prompts without a backend, and at `mock`, for those that name it.
 */
export function bindModels(bindings: ModelBindings = {}): ReadonlyMap<string, Model> {
  const bound = new Map(Object.entries(bindings));
  const scripted = bound.get("scripted") ?? scriptedModel();
  return new Map([["scripted", scripted], ["mock", scripted], ...bound]);
}
