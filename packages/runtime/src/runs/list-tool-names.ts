import { pinReferences, type Registry } from "@turnseal/kernel";
import { HANDOFF_TOOL, type LoopDef } from "@turnseal/protocol";

/**
 * The tools that a loop may come to call, by the names that a grant has. The loop, not a tool,
 * names the runs that it may hand to.
 */
export function listToolNames(
  registry: Registry,
  { id, version }: Pick<LoopDef, "id" | "version">,
): string[] {
  const root = registry.resolve(id, version);
  if (root === undefined) return [];
  const names = Object.values(pinReferences(registry, root)).flatMap((pinned) => {
    const tool = registry.resolve(pinned.id, pinned.version)?.definition.tool;
    return tool === undefined || tool.implementation === HANDOFF_TOOL ? [] : [tool.implementation];
  });
  return [...new Set(names)];
}
