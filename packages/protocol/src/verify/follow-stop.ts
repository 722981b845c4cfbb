/**
 * Follows a run past its end (spec/receipt.md §6.6, spec/run.md §2.6).
 *
 * After the stop, people resolve unknown actions. Each resolution names an action that a closed
 * turn left unknown, and each action is named once.
 */
import type { JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { mayResolveLate } from "../resolutions.ts";
import { type Finding, type FindingCode, finding } from "./finding.ts";
import { isBoundTo } from "./follow-approvals.ts";

export interface StopFollower {
  follow(event: RawEvent): Finding[];
}

export function followStop(): StopFollower {
  // Claims by sequence number: of the open turn, and those that closed turns have left.
  let open = new Map<JsonValue | undefined, RawEvent>();
  const left = new Map<JsonValue | undefined, RawEvent>();
  const resolve = (event: RawEvent): Finding[] => {
    const { claim: named, key } = event.content;
    const claim = left.get(named);
    if (claim === undefined || claim.content["key"] !== key)
      return [fault(event, "EFFECT_WITHOUT_CLAIM")];
    left.delete(named);
    return counts(claim, event) ? [] : [fault(event, "APPROVAL_VOID")];
  };
  const note = (event: RawEvent): Finding[] => {
    switch (event.type) {
      case "turn.started":
        open = new Map();
        return [];
      case "action.claimed":
        if (isEffect(event)) open.set(event.sequence, event);
        return [];
      case "action.settled":
      case "action.resolved":
        open.delete(event.content["claim"]);
        return [];
      case "turn.closed":
        for (const [sequence, claim] of open) left.set(sequence, claim);
        open = new Map();
        return [];
      case "run.resolved":
        return resolve(event);
      default:
        return [];
    }
  };
  return { follow: note };
}

/** An action that only reads counts as failed, and a run that was handed to reports its own end. */
function isEffect({ content }: RawEvent): boolean {
  return content["action"] === "tool" && content["effect"] !== "read";
}

function counts(claim: RawEvent, event: RawEvent): boolean {
  const { actor, content } = event;
  const isPerson = actor.kind === "person" && actor.id !== "";
  return isPerson && mayResolveLate(content["resolution"]) && isBoundTo(claim, event);
}

const messages = {
  EFFECT_WITHOUT_CLAIM: "an action is resolved that is not unknown",
  APPROVAL_VOID: "an invalid answer on an unknown action is counted",
} as const satisfies Partial<Record<FindingCode, string>>;

function fault({ sequence, turn }: RawEvent, code: keyof typeof messages): Finding {
  const place = turn === undefined ? { sequence } : { sequence, turn };
  return finding(code, messages[code], place);
}
