import type { LoopEvent } from "@turnseal/protocol";

/**
 * True where everybody with the same input would get the same result. No person was asked, no other
 * model stood in, no failure happened, and the call only read and asked models.
 */
export function mayRemember(call: string, events: Iterable<LoopEvent>): boolean {
  const calls = new Set([call]);
  for (const event of events) {
    const { call: own = "", parentCall = "" } = event;
    if (calls.has(parentCall)) calls.add(own);
    if (calls.has(own) && isOfItsOwn(event)) return false;
  }
  return true;
}

function isOfItsOwn(event: LoopEvent): boolean {
  switch (event.type) {
    case "approval.requested":
    case "question.asked":
      return true;
    case "call.errored":
      // Invalid arguments from a model are invalid in every run. Any other failure may belong to
      // this moment or this run, such as an expired grant.
      return event.content.code !== "INPUT_VALIDATION_FAILED";
    case "action.resolved":
      return event.actor.kind !== "kernel";
    case "action.claimed": {
      const { content } = event;
      if (content.effect !== "read" && content.effect !== "repeatable") return true;
      return content.action === "model" && content.route?.reason.startsWith("fallback:") === true;
    }
    case "action.settled": {
      const { content } = event;
      if (content.action === "handoff") return true;
      // A file is one of its run alone.
      return content.files !== undefined || (content.action === "model" && content.drift === true);
    }
    default:
      return false;
  }
}
