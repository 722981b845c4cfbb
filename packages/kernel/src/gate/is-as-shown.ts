/**
 * Whether an action is still the one that people approved: by the code, the declarations and the
 * cost of today. Its arguments are compared by digest.
 */
import {
  type Amounts,
  type ContentOf,
  canonicalize,
  type JsonObject,
  listUnits,
} from "@turnseal/protocol";
import type { Step } from "../step/step.ts";

/** Every field that verifiers compare between a request and its claim, but those copied from it. */
const SHOWN = [
  ...["action", "tool", "term", "terms", "secrets", "root", "takesBack", "effect"],
  ...["build", "compensation", "irreversible", "group"],
  ...["target", "targetVersion", "bounds", "thread", "item", "slice"],
];

export function isAsShown(
  requested: ContentOf<"approval.requested">,
  { action, asked }: Pick<Step, "action" | "asked">,
): boolean {
  const now = { ...asked.facts, effect: action.effect };
  const isSame = pick(requested) === pick(now);
  return isSame && isWithin(action.reserve(), requested.reserve, action.kind === "handoff");
}

function pick(content: object): string {
  const fields = content as JsonObject;
  return canonicalize(SHOWN.map((name) => fields[name] ?? null));
}

/** A slice without a cap for a unit says that the other run may spend any of it. */
function isWithin(reserve: Amounts, shown: Amounts, isHandoff: boolean): boolean {
  const units = isHandoff ? listUnits(shown) : listUnits(reserve);
  return units.every((unit) => (reserve[unit] ?? 0) <= (shown[unit] ?? 0));
}
