import type { Registry } from "@turnseal/kernel";
import { findNearest, type Grant } from "@turnseal/protocol";

/**
 * A grant for many loops may name more than there is here: only a slip is a problem. A name of a
 * tool that the grant also lists correctly is not a slip.
 */
export function listUnknownTools(registry: Registry, { tools }: Pick<Grant, "tools">): string[] {
  const known = registry.list().flatMap(({ definition }) => definition.tool?.implementation ?? []);
  const unnamed = known.filter((name) => !tools.includes(name));
  return tools.flatMap((name) => {
    const nearest = known.includes(name) ? undefined : findNearest(name, unnamed);
    if (nearest === undefined) return [];
    return `the grant names ${name}, and there is no such tool: did you mean ${nearest}?`;
  });
}
