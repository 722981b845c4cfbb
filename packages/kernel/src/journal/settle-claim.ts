/** Settles a claim: its result, and its cost. */
import { type Amounts, addAmounts, type EventOf, isUnprocessedFailure } from "@turnseal/protocol";
import type { Answer } from "../step/action.ts";
import { ownerOf, type Step } from "../step/step.ts";
import type { ActionEnd } from "./end-action.ts";

type Claim = EventOf<"action.claimed">;

interface Settlement extends ActionEnd {
  readonly hasBegun: boolean;
  readonly answer: Answer | undefined;
  readonly reserve: Amounts;
  /** How long the log took to keep the claim. */
  readonly waitedMs: number;
}

/** Records the end of an action, and its cost. */
export function settleClaim(
  step: Step,
  claim: Claim,
  settlement: Settlement,
): EventOf<"action.settled"> {
  const { status, reason, retry, failure, retryAfterMs, asks, answer, reserve, waitedMs } =
    settlement;
  const claimedMs = Date.parse(claim.at);
  const shown = step.action.shown?.();
  const attached = {
    ...(answer === undefined ? {} : { result: answer.result }),
    ...(reason === undefined ? {} : { reason }),
    ...(asks === undefined ? {} : { asks: { ...asks } }),
    ...(shown === undefined ? {} : { output: shown.text }),
  };
  return step.appender.push((nowMs) => {
    const durationMs = Math.max(0, nowMs - claimedMs - waitedMs);
    const recorded = step.action.record?.();
    return {
      ...ownerOf(step),
      type: "action.settled",
      content: {
        ...(answer?.facts ?? { action: step.action.kind === "model" ? "model" : "tool" }),
        key: step.key,
        claim: claim.sequence,
        status,
        durationMs,
        reserve,
        spent: spentBy(step, settlement, durationMs),
        ...pickPeriods(claim),
        ...(retry === "never" ? {} : { retry }),
        ...(failure === undefined ? {} : { failure }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(shown?.isCut === true ? { outputCut: true } : {}),
        ...(recorded === undefined ? {} : { artifacts: recorded.facts }),
      },
      attached,
      ...(recorded === undefined ? {} : { blobs: recorded.blobs }),
    };
  });
}

/** It counts in the periods in which it was first claimed. */
export function pickPeriods({ content: { periods } }: Claim): Pick<Claim["content"], "periods"> {
  return periods === undefined ? {} : { periods };
}

/**
 * A request that its provider did not process costs nothing. An action that did not begin, or
 * provably did nothing, costs the attempt alone. Any other failure, and any abort, may have cost
 * the whole reservation.
 */
function spentBy({ action }: Step, settlement: Settlement, durationMs: number): Amounts {
  const { isUndone, answer, reserve, hasBegun, failure } = settlement;
  const { activeMs, ...most } = reserve;
  const time = activeMs === undefined ? {} : { activeMs: Math.min(durationMs, activeMs) };
  const attempt = action.kind === "model" && isUnprocessedFailure(failure) ? {} : action.attempt;
  const cut = isUndone || !hasBegun ? attempt : most;
  return addAmounts(answer?.spent ?? cut, time);
}
