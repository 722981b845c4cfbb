/**
 * What MPLP calls the beginning and the end of a rollback: the first claim that takes something
 * back, and the end of its run. Of any other run nothing is said.
 */
import type { EventOf, JsonObject } from "@turnseal/protocol";
import type { TellMplp } from "./mplp-event.ts";

export interface Rollbacks {
  begin(event: EventOf<"action.claimed">): void;
  end(event: EventOf<"run.stopped">): void;
}

export function tellRollback(run: string, tell: TellMplp): Rollbacks {
  let hasBegun = false;
  const say = (type: string, more: JsonObject): void => {
    const payload = { compensation_id: run, reason: "rollback", ...more };
    tell(type, { event_family: "compensation_plan", payload });
  };
  return {
    begin: ({ content }) => {
      const isUndo = content.action === "tool" && content.takesBack !== undefined;
      if (!isUndo || hasBegun) return;
      hasBegun = true;
      say("RollbackInitiated", {});
    },
    end: ({ content: { reason } }) => {
      if (!hasBegun) return;
      say("RollbackCompleted", { status: reason === "goal-reached" ? "completed" : "failed" });
    },
  };
}
