/** The fields that a claim shares with its request, and with the claim that it replaces. */
import { areAmounts, listUnits } from "../budget/budget.ts";
import { canonicalize, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";

/** The fields that a claim keeps from the one before it. */
const keptInPlace = ["approval", "role", "excluded", "planned", "drawn"];
/** For the release of a held action, the group decides who approves (follow-groups.ts). */
const keptOfHeld = ["approval", "planned", "drawn"];

export function isUnderSame(before: JsonObject, content: JsonObject): boolean {
  const kept = before["held"] === undefined ? keptInPlace : keptOfHeld;
  return pick(kept, before) === pick(kept, content);
}

const sameInBoth = [
  ...["key", "digest", "build", "compensation", "irreversible", "group"],
  ...["rule", "role", "policy", "excluded"],
  // A stranger cannot compute the digest again: each clear field is compared, too.
  ...["action", "tool", "term", "terms", "request", "effect", "secrets", "root", "takesBack"],
  ...["target", "targetVersion", "bounds", "thread", "item", "answers"],
];

/** True when the request is for what is claimed, by the same rule, and at no higher cost. */
export function isFor(asked: RawEvent, { call, content }: RawEvent): boolean {
  return (
    asked.type === "approval.requested" &&
    asked.call === call &&
    pick(sameInBoth, asked.content) === pick(sameInBoth, content) &&
    isAffordable(asked.content["reserve"], content)
  );
}

/**
 * A handoff is also cut by caps for periods, whose units its request does not have. The active time
 * of another action is a deadline that its claim sets, and no request has it.
 */
function isAffordable(shown: JsonValue | undefined, { action, reserve }: JsonObject): boolean {
  if (!areAmounts(shown) || !areAmounts(reserve)) return false;
  const units =
    action === "handoff"
      ? listUnits(shown)
      : listUnits(reserve).filter((unit) => unit !== "activeMs");
  return units.every((unit) => (reserve[unit] ?? 0) <= (shown[unit] ?? 0));
}

function pick(names: readonly string[], content: JsonObject): string {
  return canonicalize(names.map((name) => content[name] ?? null));
}
