/** The journal of a call outside a run: it acts once and keeps nothing. */
import type { Clock } from "@turnseal/ports";
import type { ActionClaim, ActionSettlement } from "@turnseal/protocol/trace";
import { formatInstant } from "../format-instant.ts";
import { fail, succeed } from "../outcome.ts";
import type { Journal } from "./action.ts";
import { describeEnd, endAction } from "./end-action.ts";
import { runBounded } from "./run-bounded.ts";

export function directJournal(clock: Clock, signal: AbortSignal | undefined): Journal {
  return {
    // Nobody would be there to hear the answer.
    ask: async () => fail("POLICY_DENIED", "a question needs a run", { denial: "run-missing" }),
    run: async (frame, action) => {
      const { kind, facts } = action;
      const deadlineAt = formatInstant(frame.deadlineAt);
      const claimedMs = frame.record({
        type: "action.claimed",
        // The facts of an action are those that its kind of claim has.
        content: { action: kind, ...facts, deadlineAt } as unknown as ActionClaim,
      });
      const bounded = await runBounded({ clock, deadlineAt: frame.deadlineAt, signal }, (given) =>
        action.act({ key: frame.call, epoch: 0, signal: given, deadlineAt }),
      );
      const { status, reason } = describeEnd(bounded);
      const measured = bounded.kind === "done" ? bounded.value.facts : {};
      frame.recordSince(claimedMs, (durationMs) => ({
        type: "action.settled",
        content: { action: kind, status, durationMs, ...measured } as unknown as ActionSettlement,
        ...(reason === undefined ? {} : { attached: { reason } }),
      }));
      return bounded.kind === "done"
        ? succeed(bounded.value)
        : endAction(bounded.kind, action, reason);
    },
  };
}
