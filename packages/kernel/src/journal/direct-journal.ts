/** The journal of a call outside a run: it acts once and keeps nothing. */
import type { Clock, RateLimits } from "@turnseal/ports";
import { invariant, type RateLimitSpec } from "@turnseal/protocol";
import { readGate } from "../gate/read-gate.ts";
import { GRACE_MS } from "../limits.ts";
import { type Failed, fail, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { Journal } from "../step/journal.ts";
import type { Ended } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";
import { describeEnd, endAction } from "./end-action.ts";
import { enterLimits, type LimitFacts } from "./enter-limit.ts";
import { runBounded } from "./run-bounded.ts";

export interface DirectJournalOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly rateLimits?: RateLimits | undefined;
}

export function directJournal(options: DirectJournalOptions): Journal {
  return {
    // The call cannot be resumed: it waits in place, up to its deadline.
    waitUntil: async ({ deadlineAt }, untilMs) => {
      const delayMs = Math.min(untilMs, deadlineAt) - options.clock.now();
      if (delayMs > 0) await waitFor(delayMs, options);
      return undefined;
    },
    run: async (frame, first) => {
      const { stop } = frame.branch;
      const given = options.signal;
      const both = stop === undefined || given === undefined ? [] : [stop, given];
      const signal = both.length === 0 ? (stop ?? given) : AbortSignal.any(both);
      const refusal = refuseGate(first);
      if (refusal !== undefined) return refusal;
      for (let action = first; ; ) {
        const { outcome, failure } = await enterAndAct(frame, action, { ...options, signal });
        const instead = failure === undefined ? undefined : action.instead?.(failure);
        if (instead === undefined) return outcome;
        action = instead;
      }
    },
  };
}

/** A blocked tool is blocked everywhere; one that asks has no person here. */
function refuseGate({ name, judged }: Action): Failed | undefined {
  const gate = readGate(judged?.gate);
  if (gate === undefined || gate.kind === "run") return undefined;
  return gate.kind === "blocked"
    ? fail("POLICY_DENIED", `${name} is blocked`, { denial: "tool-blocked" })
    : fail("POLICY_DENIED", `to approve ${name} needs a run`, { denial: "run-missing" });
}

/** Waits, unless a cancel comes first. */
async function waitFor(
  delayMs: number,
  { clock, signal }: Pick<DirectJournalOptions, "clock" | "signal">,
): Promise<void> {
  const deadlineAt = clock.now() + delayMs;
  await runBounded({ clock, deadlineAt, signal }, () => new Promise(() => {}));
}

type Acted = Pick<Ended, "outcome" | "failure">;

function enterAndAct(frame: Frame, action: Action, options: DirectJournalOptions): Promise<Acted> {
  const { limit } = action;
  return limit === undefined
    ? actOnce(frame, action, { ...options, facts: {} })
    : actWithin(limit, { frame, action, options });
}

async function actWithin(
  limit: RateLimitSpec,
  {
    frame,
    action,
    options,
  }: {
    readonly frame: Frame;
    readonly action: Action;
    readonly options: DirectJournalOptions;
  },
): Promise<Acted> {
  const { clock, signal, rateLimits } = options;
  const leftMs = Math.max(0, frame.deadlineAt - clock.now());
  const entry = await enterLimits({
    limits: [{ spec: limit, by: rateLimits }],
    clock,
    holder: `${frame.call} ${action.ordinal}`,
    holdMs: leftMs + GRACE_MS,
    waitMsMax: leftMs,
    readyMs: frame.wallMs(),
    isClosedWhenAway: false,
    isCancelled: frame.isCancelled,
    wait: (delayMs) => waitFor(delayMs, options),
  });
  if (entry.kind === "refused") return { outcome: entry.refusal };
  // Outside a run the call cannot come back to it.
  if (entry.kind === "later") return { outcome: endAction("timed-out", action, undefined) };
  try {
    return await actOnce(frame, action, { clock, signal, facts: entry.facts });
  } finally {
    entry.leave();
  }
}

async function actOnce(
  frame: Frame,
  action: Action,
  { clock, signal, facts: entered }: DirectJournalOptions & { readonly facts: LimitFacts },
): Promise<Acted> {
  const { facts } = action;
  invariant(facts.action !== "handoff", "a handoff needs a run");
  const deadlineAt = formatInstant(frame.deadlineAt);
  const claimedMs = frame.record({
    type: "action.claimed",
    content: { ...facts, ...entered, deadlineAt },
  });
  const bounded = await runBounded({ clock, deadlineAt: frame.deadlineAt, signal }, (given) =>
    action.act({
      key: frame.call,
      epoch: 0,
      signal: given,
      deadlineAt,
      onBegin: () => {},
      nowMs: () => clock.now(),
      after: clock.after.bind(clock),
    }),
  );
  const { status, reason: words, failure, retryAfterMs, asks } = describeEnd(bounded);
  const reason = asks === undefined ? words : "it needs an answer, which only a run can ask for";
  const measured = bounded.kind === "done" ? bounded.value.facts : { action: facts.action };
  const named = {
    ...(failure === undefined ? {} : { failure }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  frame.recordSince(claimedMs, (durationMs) => ({
    type: "action.settled",
    content: { ...measured, status, durationMs, ...named },
    ...(reason === undefined ? {} : { attached: { reason } }),
  }));
  return bounded.kind === "done"
    ? { outcome: succeed(bounded.value) }
    : { outcome: endAction(bounded.kind, action, reason), failure };
}
