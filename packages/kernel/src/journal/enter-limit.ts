/**
 * Takes the lease of an action that is counted together with those of other workers (spec/loop.md
 * §2.9).
 *
 * 1. It is taken right before a new claim. A resume takes no lease, and does not wait, for a
 *    recorded one.
 * 2. Every limit has to give its lease. They are tried in order, and a refusal gives the earlier
 *    ones back: a waiting request holds no lease.
 * 3. The limiter may be away. A limit on money then refuses; a limit on pace allows, and the claim
 *    says so.
 */
import type { Clock, LimitAnswer, RateLimits } from "@turnseal/ports";
import type { LimitPassage, ModelFacts, RateLimitSpec } from "@turnseal/protocol";
import { LIMIT_ANSWER_MS_MAX, LIMIT_PAUSE_MS } from "../limits.ts";
import { type Failed, fail } from "../outcome.ts";
import { runBounded } from "./run-bounded.ts";

/** The facts of the limit for a claim. */
export type LimitFacts = Pick<ModelFacts, "limit">;

export type Entry =
  /**
   * It may be claimed, with these facts; `leave` releases the leases, `withdraw` takes the request
   * back.
   */
  | {
      readonly kind: "entered";
      readonly facts: LimitFacts;
      leave(): void;
      /** No claim was made: other requests should not wait for it. */
      withdraw(): void;
    }
  | { readonly kind: "refused"; readonly refusal: Failed }
  /** Not before this time, and that is too long to wait for in place. */
  | { readonly kind: "later"; readonly untilMs: number };

/** A limit, and its counter; without one the answer is unknown. */
export interface CountedLimit {
  readonly spec: RateLimitSpec;
  readonly by: RateLimits | undefined;
}

export interface LimitPlace {
  /** In the order of their leases; the claim names the first. */
  readonly limits: readonly CountedLimit[];
  readonly clock: Clock;
  /** The holder's name: the same in every attempt. */
  readonly holder: string;
  /** The time of the action, and of its record. */
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

export async function enterLimits(place: LimitPlace): Promise<Entry> {
  const { clock, waitMsMax, readyMs } = place;
  const [first] = place.limits;
  if (first === undefined) return { kind: "entered", facts: {}, leave: none, withdraw: none };
  const { name } = first.spec;
  const beganMs = clock.now();
  while (!place.isCancelled()) {
    const asked = await askForLeases(place);
    if (asked.kind === "refused") return asked;
    if (asked.kind === "taken") {
      const waitedMs = Math.max(0, clock.now() - readyMs);
      const facts = { limit: { name, answer: asked.answer, waitedMs } };
      return { kind: "entered", facts, leave: asked.release, withdraw: asked.withdraw };
    }
    const { retryAtMs } = asked;
    const nowMs = clock.now();
    if (retryAtMs - beganMs > waitMsMax) {
      // After a wait in vain it pauses for a while, since every look resumes the turn.
      const leastMs = nowMs > beganMs ? LIMIT_PAUSE_MS : 0;
      return { kind: "later", untilMs: Math.max(retryAtMs, nowMs + leastMs) };
    }
    await place.wait(Math.max(1, retryAtMs - nowMs));
  }
  return { kind: "refused", refusal: fail("CANCELLED", "the call was cancelled") };
}

const none = (): void => {};

type Lease = Extract<LimitAnswer, { readonly kind: "taken" }>;

type AskedLeases =
  /** All limits that could be reached gave their lease. */
  | {
      readonly kind: "taken";
      readonly answer: LimitPassage["answer"];
      release(): void;
      withdraw(): void;
    }
  | Extract<LimitAnswer, { readonly kind: "full" }>
  | Extract<Entry, { readonly kind: "refused" }>;

/** Takes the leases of all limits, or none. */
async function askForLeases(place: LimitPlace): Promise<AskedLeases> {
  const leases: Lease[] = [];
  for (const limit of place.limits) {
    const asked = await askForLease(limit, place);
    if (asked.kind === "taken") leases.push(asked);
    if (asked.kind === "full" || (asked.kind === "away" && place.isClosedWhenAway)) {
      for (const lease of leases.toReversed()) lease.withdraw("kept");
      return asked.kind === "full" ? asked : refuseAway(limit.spec);
    }
  }
  return {
    kind: "taken",
    answer: leases.length < place.limits.length ? "away" : "taken",
    release: () => {
      for (const lease of leases) lease.release();
    },
    withdraw: () => {
      for (const lease of leases.toReversed()) lease.withdraw("left");
    },
  };
}

async function askForLease({ spec, by }: CountedLimit, place: LimitPlace): Promise<LimitAnswer> {
  const { clock, holder, holdMs } = place;
  if (by === undefined) return { kind: "away" };
  const { name, perMinute, inFlight } = spec;
  const asked = by.take({
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

function refuseAway({ name }: RateLimitSpec): Extract<Entry, { kind: "refused" }> {
  const message = `nobody can tell whether the limit ${name} allows it`;
  return { kind: "refused", refusal: fail("POLICY_DENIED", message, { denial: "limit-away" }) };
}
