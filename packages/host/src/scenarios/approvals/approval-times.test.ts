/**
 * Times of approvals under a clock that never stands still: two looks see two times. An action is
 * claimed in time or not at all, and every verifier comes to the same answer.
 */
import { type ManualClock, manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { ada, allow, ask, policyOf } from "../__fixtures__/refund-desk.ts";
import { openStage } from "./approval-stage.test.data.ts";

/** Every look takes a millisecond. */
function restlessClock(): ManualClock {
  const clock = manualClock();
  return {
    ...clock,
    now: () => {
      clock.advance(1);
      return clock.now();
    },
  };
}

test.each([
  ["use", "useWithinMs"],
  ["decide", "decideWithinMs"],
] as const)(
  "to %s: at every millisecond around the last, it is done in time or not at all",
  async (_, name) => {
    const ends = new Map<string, number>();
    for (let withinMs = 1; withinMs <= 60; withinMs++) {
      const policy = policyOf({ ...ask, [name]: withinMs }, allow);
      const stage = await openStage({ clock: restlessClock(), policy });
      const isAsked = (await stage.desk().host.requests(stage.run)).length > 0;
      if (isAsked) await stage.approve(ada);
      const end = await stage.desk().drive(stage.run);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      expect(stage.desk().made).toHaveLength(end === "goal-reached" ? 1 : 0);
      expect(await stage.desk().findFaults(stage.run)).toEqual([]);
    }
    expect([...ends.keys()].sort()).toEqual(["approval-expired", "goal-reached"]);
  },
);
