import type { LoopDef } from "@turnseal/protocol";

/** The longest name of a tool for a model. */
export const ALIAS_LENGTH_MAX = 64;

/**
 * The name of a loop for a model: its tool reference with `__` for `.`, since providers refuse
 * dots.
 */
export function aliasOf({ id, tool }: LoopDef): string {
  return (tool?.implementation ?? `loop.${id}`)
    .replaceAll(".", "__")
    .replaceAll(/[^A-Za-z0-9_-]/g, "-");
}
