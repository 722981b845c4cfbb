/** What a claim shares with its request, and with the claim whose place it takes. */
import { canonicalize, type JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";

/** What a claim in the place of another is under. */
const keptInPlace = ["approval", "role", "excluded", "planned"];
/** Who has a word on what is let go of a group, the group says (follow-groups.ts). */
const keptOfHeld = ["approval", "planned"];

export function isUnderSame(before: JsonObject, content: JsonObject): boolean {
  const kept = before["held"] === undefined ? keptInPlace : keptOfHeld;
  return pick(kept, before) === pick(kept, content);
}

const sameInBoth = [
  ...["key", "digest", "build", "compensation", "irreversible", "group"],
  ...["rule", "role", "policy", "excluded"],
  // A stranger cannot compute the digest again: each clear field is compared, too.
  ...["action", "tool", "term", "terms", "request", "effect", "secrets", "root", "takesBack"],
  ...["target", "targetVersion", "bounds", "thread", "item"],
];

/** True when the request is for what is claimed, by the same rule. */
export function isFor(asked: RawEvent, { call, content }: RawEvent): boolean {
  return (
    asked.type === "approval.requested" &&
    asked.call === call &&
    pick(sameInBoth, asked.content) === pick(sameInBoth, content)
  );
}

function pick(names: readonly string[], content: JsonObject): string {
  return canonicalize(names.map((name) => content[name] ?? null));
}
