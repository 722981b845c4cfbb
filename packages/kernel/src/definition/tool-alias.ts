import type { LoopDef } from "@turnseal/protocol";

/** The longest name that a model is given for a tool. */
export const ALIAS_LENGTH_MAX = 64;

/**
 * The name by which a model knows a loop: its tool reference with `__` for `.`, since providers
 * refuse dots.
 */
export function aliasOf({ id, tool }: LoopDef): string {
  return (tool?.implementation ?? `loop.${id}`)
    .replaceAll(".", "__")
    .replaceAll(/[^A-Za-z0-9_-]/g, "-");
}
