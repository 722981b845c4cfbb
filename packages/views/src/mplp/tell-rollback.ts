/**
 * Reports the beginning and the end of a rollback in MPLP's words: the first claim that takes
 * something back, and the end of its run. For any other run it reports nothing.
 */
import type { JsonObject, LoopEvent } from "@turnseal/protocol";
import type { TellMplp } from "./mplp-event.ts";

export function tellRollback(run: string, tell: TellMplp) {
  let hasBegun = false;
  const say = (type: string, more: JsonObject): void => {
    const payload = { compensation_id: run, reason: "rollback", ...more };
    tell(type, { event_family: "compensation_plan", payload });
  };
  return {
    follow: (event: LoopEvent): void => {
      if (isUndo(event) && !hasBegun) {
        hasBegun = true;
        say("RollbackInitiated", {});
      }
      if (event.type !== "run.stopped" || !hasBegun) return;
      const isReached = event.content.reason === "goal-reached";
      say("RollbackCompleted", { status: isReached ? "completed" : "failed" });
    },
  };
}

function isUndo({ type, content }: LoopEvent): boolean {
  return type === "action.claimed" && content.action === "tool" && content.takesBack !== undefined;
}
