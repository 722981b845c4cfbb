/** What can be taken back of what a tool does, and what it takes back itself. */
import type { ToolBinding } from "@turnseal/ports";
import { isPlainObject, type JsonValue, type ToolFacts } from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";

/** UTF-16 units of why nothing takes an effect back. */
export const IRREVERSIBLE_LENGTH_MAX = 512;

/** From the declaration alone: the same whatever it is given. */
export function describeWayBack({
  effect,
  compensation,
  irreversible,
}: Pick<ToolBinding, "effect" | "compensation" | "irreversible">): Pick<
  ToolFacts,
  "compensation" | "irreversible"
> {
  if (effect === "read") return {};
  if (compensation !== undefined) return { compensation };
  if (irreversible === undefined) return {};
  return { irreversible: irreversible.slice(0, IRREVERSIBLE_LENGTH_MAX).toWellFormed() };
}

/** The action that it takes back, without what that was given and gave, which is content. */
export function nameTaken(
  { takesBack }: Pick<ToolBinding, "takesBack">,
  input: JsonValue,
): Pick<ToolFacts, "takesBack"> {
  const taken = takesBack && isPlainObject(input) ? input["takesBack"] : undefined;
  if (!isTakenAction(taken)) return {};
  const { run, turn, key, receipt } = taken;
  return { takesBack: { run, turn, key, receipt } };
}
