import type { Registry } from "@turnseal/kernel";
import type { Grant } from "@turnseal/protocol";
import { findNearest } from "./find-nearest.ts";

/** A grant for many loops may name more than there is here: only a slip is refused. */
export function findUnknownTool(
  registry: Registry,
  { tools }: Pick<Grant, "tools">,
): string | undefined {
  const known = registry.list().flatMap(({ definition }) => definition.tool?.implementation ?? []);
  for (const name of tools) {
    const nearest = known.includes(name) ? undefined : findNearest(name, known);
    if (nearest !== undefined)
      return `the grant names ${name}, and there is no such tool: did you mean ${nearest}?`;
  }
  return undefined;
}
