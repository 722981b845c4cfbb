import type { Registry } from "@turnseal/kernel";
import { findNearest, type Grant, type Policy } from "@turnseal/protocol";

/**
 * A grant for many loops may name more than there is here: only a slip is a problem. A name of a
 * tool that the grant also lists correctly is not a slip.
 */
export function listUnknownTools(registry: Registry, { tools }: Pick<Grant, "tools">): string[] {
  return listSlips(registry, "the grant", tools);
}

/**
 * The slips of rules. A rule with a misspelt tool would neither deny the real one nor ask about it.
 */
export function listUnknownInRules(registry: Registry, { rules }: Pick<Policy, "rules">): string[] {
  return rules.flatMap(({ id, tools = [] }) => listSlips(registry, `the rule ${id}`, tools));
}

function listSlips(registry: Registry, who: string, tools: readonly string[]): string[] {
  const known = registry.list().flatMap(({ definition }) => definition.tool?.implementation ?? []);
  const unnamed = known.filter((name) => !tools.includes(name));
  return tools.flatMap((name) => {
    // `local.*` names every tool below.
    const isFound = known.includes(name) || name.endsWith("*");
    const nearest = isFound ? undefined : findNearest(name, unnamed);
    if (nearest === undefined) return [];
    return `${who} names ${name}, and there is no such tool: did you mean ${nearest}?`;
  });
}
