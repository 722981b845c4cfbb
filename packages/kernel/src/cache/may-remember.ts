import type { LoopEvent } from "@turnseal/protocol";

/**
 * True where what a call gave would be given to anybody who asks the same: nobody was asked, no
 * other model stood in, nothing failed, and nothing was done but to read and to ask models.
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
      // What a model asked for wrongly is wrong for everybody. Any other failure may be of this
      // moment, or of this run alone, such as a grant that has ended.
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
