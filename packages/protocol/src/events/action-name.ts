import type { JsonObject } from "../canonical-json.ts";

/**
 * What the action of a claim, or of a request to approve one, is called: the model that is asked,
 * the tool that acts, or the loop that a run is handed to.
 */
export function nameAction({ action, backend, model, tool, target }: JsonObject): string {
  if (action === "model") return [backend, model].filter(isText).join("/");
  return [tool, target].find(isText) ?? "an action";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
