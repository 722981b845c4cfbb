/**
 * Takes the lease of an action that is counted together with those of other workers (spec/loop.md
 * §2.9).
 *
 * 1. It is asked for right before a claim, and only for a claim that is made: what is recorded is
 *    neither asked for nor waited for again.
 * 2. Whoever gives leases may be away. Where money is counted the answer is then no; where only the
 *    pace is, it is yes, and the claim says so.
 */
import type { Clock, LimitAnswer, RateLimits } from "@turnseal/ports";
import type { LimitPassage, ModelFacts, RateLimitSpec } from "@turnseal/protocol";
import { LIMIT_ANSWER_MS_MAX, LIMIT_PAUSE_MS } from "../limits.ts";
import { type Failed, fail } from "../outcome.ts";
import { runBounded } from "./run-bounded.ts";

/** What a claim says of it. */
export type LimitFacts = Pick<ModelFacts, "limit">;

export type Entry =
  /** It may be claimed, with these facts; `leave` gives the lease back. */
  | { readonly kind: "entered"; readonly facts: LimitFacts; leave(): void }
  | { readonly kind: "refused"; readonly refusal: Failed }
  /** Not before this time, and that is too long to wait for in place. */
  | { readonly kind: "later"; readonly untilMs: number };

export interface LimitPlace {
  readonly rateLimits: RateLimits | undefined;
  readonly clock: Clock;
  /** Who asks: the same in every attempt. */
  readonly holder: string;
  /** How long the action may take, with what comes after it. */
  readonly holdMs: number;
  /** How long it may be waited for in place. */
  readonly waitMsMax: number;
  /** Since when it is ready to be claimed. */
  readonly readyMs: number;
  /** True where a budget in money depends on it. */
  readonly isClosedWhenAway: boolean;
  isCancelled(): boolean;
  wait(delayMs: number): Promise<void>;
}

function enter(facts: LimitFacts, leave = (): void => {}): Entry {
  return { kind: "entered", facts, leave };
}

export async function enterLimit(
  limit: RateLimitSpec | undefined,
  place: LimitPlace,
): Promise<Entry> {
  if (limit === undefined) return enter({});
  const { clock, isClosedWhenAway, waitMsMax, readyMs } = place;
  const describe = (answer: LimitPassage["answer"]): LimitFacts => {
    const waitedMs = Math.max(0, clock.now() - readyMs);
    return { limit: { name: limit.name, answer, waitedMs } };
  };
  const beganMs = clock.now();
  while (!place.isCancelled()) {
    const answer = await askForLease(limit, place);
    if (answer.kind === "taken") return enter(describe("taken"), answer.release);
    if (answer.kind === "away")
      return isClosedWhenAway ? refuseAway(limit) : enter(describe("away"));
    const { retryAtMs } = answer;
    const nowMs = clock.now();
    if (retryAtMs - beganMs > waitMsMax) {
      // Who looked in vain for a while does not come back at once: every look resumes the turn.
      const leastMs = nowMs > beganMs ? LIMIT_PAUSE_MS : 0;
      return { kind: "later", untilMs: Math.max(retryAtMs, nowMs + leastMs) };
    }
    await place.wait(Math.max(1, retryAtMs - nowMs));
  }
  return { kind: "refused", refusal: fail("CANCELLED", "the call was cancelled") };
}

async function askForLease(limit: RateLimitSpec, place: LimitPlace): Promise<LimitAnswer> {
  const { rateLimits, clock, holder, holdMs } = place;
  if (rateLimits === undefined) return { kind: "away" };
  const { name, perMinute, inFlight } = limit;
  const asked = rateLimits.take({
    name,
    holder,
    holdMs,
    ...(inFlight === undefined ? {} : { inFlight }),
    ...(perMinute === undefined ? {} : { perWindow: { count: perMinute, windowMs: MINUTE_MS } }),
  });
  const deadlineAt = clock.now() + LIMIT_ANSWER_MS_MAX;
  const bounded = await runBounded({ clock, deadlineAt, signal: undefined }, () => asked);
  if (bounded.kind === "done") return bounded.value;
  // A lease that comes too late is not kept: nobody would give it back.
  asked.then(
    (late) => late.kind === "taken" && late.release(),
    () => {},
  );
  return { kind: "away" };
}

const MINUTE_MS = 60_000;

function refuseAway({ name }: RateLimitSpec): Entry {
  const message = `nobody can tell whether the limit ${name} allows it`;
  return { kind: "refused", refusal: fail("POLICY_DENIED", message, { denial: "limit-away" }) };
}
