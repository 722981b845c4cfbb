import type { ContentOf } from "@turnseal/protocol";
import type { Action } from "./action.ts";

/** The code that an action is done by. What is no tool has none of its own. */
export function buildOf(
  facts: Action["facts"] | ContentOf<"approval.requested">,
): string | undefined {
  return facts.action === "tool" ? facts.build : undefined;
}
