import { GRACE_MS, LOG_WAIT_MS_MAX, WAIT_IN_PLACE_MS_MAX } from "../limits.ts";
import type { Step } from "../step/step.ts";
import type { CountedLimit, LimitPlace } from "./enter-limit.ts";
import { capsOf } from "./find-room.ts";
import { waitInPlace } from "./wait-in-place.ts";

/** Where an action of a turn asks for its lease. */
export function limitPlaceOf(step: Step): LimitPlace {
  const { clock, key, frame } = step;
  const { budget, perCall, perPeriod = {} } = capsOf(step);
  return {
    limits: listLimits(step),
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

/**
 * The prompt's own limit comes first: while it waits, the prompt takes nothing from the limits of
 * all tenants.
 */
function listLimits({ action, control }: Step): CountedLimit[] {
  const { rateLimits, providerLimits } = control;
  const own = action.limit === undefined ? [] : [{ spec: action.limit, by: rateLimits }];
  const { facts } = action;
  if (providerLimits === undefined || facts.action !== "model") return own;
  const shared = providerLimits.listFor(facts.backend, facts.model);
  return [...own, ...shared.map((spec) => ({ spec, by: providerLimits.rateLimits }))];
}
