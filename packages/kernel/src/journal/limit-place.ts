import { GRACE_MS, LOG_WAIT_MS_MAX, WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import type { Step } from "../step/step.ts";
import type { LimitPlace } from "./enter-limit.ts";
import { capsOf } from "./find-room.ts";
import { waitInPlace } from "./wait-in-place.ts";

/** Where an action of a turn asks for its lease. */
export function limitPlaceOf(step: Step): LimitPlace {
  const { rateLimits, clock, key, frame } = step;
  const { budget, perCall, perPeriod = {} } = capsOf(step);
  return {
    rateLimits,
    clock,
    holder: key,
    holdMs: Math.max(0, frame.deadlineAt - frame.lastMs()) + LOG_WAIT_MS_MAX + GRACE_MS,
    waitMsMax: WAIT_IN_PLACE_MS_MAX,
    readyMs: frame.wallMs(),
    isClosedWhenAway: [budget, perCall, ...Object.values(perPeriod)].some(
      (caps) => caps?.moneyMicros !== undefined,
    ),
    isCancelled: frame.isCancelled,
    wait: (delayMs) => waitInPlace(step, delayMs),
  };
}
