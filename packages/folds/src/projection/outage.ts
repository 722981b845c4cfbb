/**
 * An unavailable provider, as a fold: the turns it has ended, and the time of the next try
 * (spec/run.md §1.12). Pure: every worker reads the same time from the same log.
 */
import {
  type Amounts,
  addAmounts,
  type CallErrorCode,
  type ContentOf,
  committed,
  type EventOf,
  listUnits,
  PERIOD_KINDS,
  periodFacts,
  RETRY_FOR_MS_DEFAULT,
  subtractAmounts,
  type Unit,
} from "@turnseal/protocol";
import type { Outage, Parked, Provider } from "./provider-state.ts";
import type { OpenTurn, RunProjection } from "./run-projection.ts";

/** The pause after the first outage; each further one in a row doubles it. */
export const OUTAGE_PAUSE_MS = 5_000;
export const OUTAGE_PAUSE_MS_MAX = 60_000;

/** Failures that can end by themselves, and those that only a person can fix. */
const away: ReadonlySet<string> = new Set([
  "MODEL_RATE_LIMITED",
  "MODEL_UNREACHABLE",
  "MODEL_UNAVAILABLE",
  "MODEL_FAILED",
  "MODEL_ANSWER_BROKEN",
]);
const closed: ReadonlySet<string> = new Set(["MODEL_UNAUTHORIZED", "MODEL_NOT_INSTALLED"]);

/** Why a turn ended that no provider has ended. */
const others: ReadonlySet<string> = new Set([
  ...["BUDGET_EXCEEDED", "drifted", "stalled", "withdrawn"],
]);

/**
 * Notes a settlement's effect on the provider's state. Any other act of the same call clears the
 * state, and so does another's failure. Parallel successes and stops do not change it.
 */
export function noteProvider(
  { open, provider }: OpenTurn,
  { call, content }: EventOf<"action.settled">,
): Pick<OpenTurn, "provider"> {
  const { status } = content;
  const isBeside = provider !== undefined && provider.call !== call;
  if (isBeside && (status === "ok" || status === "cancelled")) return { provider };
  if (content.action !== "model") return {};
  const model = open.find(({ claim }) => claim === content.claim)?.name ?? "";
  const { failure = "", retry, reserve } = content;
  const asked = { model, reserve, call };
  if (status === "timed-out") return { provider: { is: "away", ...asked, failure: "TIMEOUT" } };
  if (status !== "failed") return {};
  if (retry === "retry" && away.has(failure))
    return { provider: { is: "away", ...asked, failure } };
  const isClosed = retry === "pause" && closed.has(failure);
  return isClosed ? { provider: { is: "closed", ...asked, failure } } : {};
}

/** Adds up the cost of failed model requests: a turn that begins again does not need it. */
export function noteFailedCost(
  { failedCost = {} }: OpenTurn,
  { content }: EventOf<"action.settled">,
): Pick<OpenTurn, "failedCost"> {
  const isFailed = content.action === "model" && content.status !== "ok";
  const cost = isFailed ? addAmounts(failedCost, content.spent) : failedCost;
  return listUnits(cost).length === 0 ? {} : { failedCost: cost };
}

/**
 * Follows the failure of a request up to the root call. A call that tolerates it, or fails for a
 * reason of its own, clears it.
 */
export function carryProvider(
  provider: Provider | undefined,
  { call, parentCall, ...ended }: EventOf<"call.errored" | "call.completed">,
): Pick<OpenTurn, "provider"> {
  if (provider === undefined) return {};
  if (call !== provider.call) return { provider };
  if (ended.type === "call.completed" || !isOfStep(ended.content, provider.code)) return {};
  const { code } = ended.content;
  return { provider: { ...provider, call: parentCall ?? "", code } };
}

/** A flow that starts something else after a failure has tolerated it. */
export function bearProvider(
  { provider, ...open }: OpenTurn,
  { call }: EventOf<"child.started" | "question.asked">,
): OpenTurn {
  const isBorne = provider?.code !== undefined && provider.call === call;
  return provider === undefined || isBorne ? open : { ...open, provider };
}

/** True when a call has failed since the one below it, which the code is of, has. */
function isOfStep(
  { code, details: { step, wait } }: ContentOf<"call.errored">,
  below: CallErrorCode | undefined,
): boolean {
  if (below === undefined) return true;
  if (wait !== undefined) return false;
  // Without a step it is the flow that failed: a join, a machine, a repeat.
  if (step === undefined) return code === below && code !== "CHILD_FAILED";
  return step.code === below;
}

/** The outage that a turn was; undefined for any other. */
export function endAsOutage(
  run: RunProjection,
  open: OpenTurn | null,
  { at, content }: EventOf<"turn.closed">,
): Outage | undefined {
  const { outcome, reason = "" } = content;
  const isFailed = outcome === "failed" || outcome === "timed-out";
  if (open?.provider === undefined || !isFailed || others.has(reason)) return undefined;
  const before = run.lastTurn?.outage;
  const isFurther = before !== undefined && before.isAsked !== true;
  const since = isFurther ? before.since : at;
  const tries = isFurther ? before.tries + 1 : 1;
  const repeated = listRepeated(open);
  const next = nextTry(run, open, { at, since, tries });
  const { model, failure } = open.provider;
  const repeats = repeated.length === 0 ? {} : { repeats: repeated };
  return { model, failure, since, tries, ...next, ...repeats };
}

/** True while the next turn waits for a provider, until a time or for somebody's word. */
export function waitsForProvider({ stopped, openTurn, lastTurn }: RunProjection): boolean {
  const isBetween = stopped === null && openTurn === null;
  return isBetween && lastTurn?.outage !== undefined && !lastTurn.isDecided;
}

/** A turn that begins again repeats its actions; a turn that goes on in a thread does not. */
function listRepeated({ acted = [], isInThread }: OpenTurn): readonly string[] {
  return isInThread === true ? [] : acted;
}

interface Row extends Pick<Outage, "since" | "tries"> {
  /** When the latest turn of the row was closed. */
  readonly at: string;
}

/** When the provider is asked again, or why not. It names the first reason that applies. */
function nextTry(
  run: RunProjection,
  open: OpenTurn,
  { at, since, tries }: Row,
): Pick<Outage, "until" | "parked"> {
  if (open.provider?.is === "closed") return { parked: { kind: "closed" } };
  const endMs = Date.parse(since) + (run.spec?.bounds.retryForMs ?? RETRY_FOR_MS_DEFAULT);
  const askedMs = open.retryAt === undefined ? 0 : Date.parse(open.retryAt);
  if (Date.parse(at) >= endMs) return { parked: { kind: "time-over" } };
  if (askedMs > endMs) return { parked: { kind: "asked-longer" } };
  if (listRepeated(open).length > 0) return { parked: { kind: "repeats" } };
  const pauseMs = Math.min(OUTAGE_PAUSE_MS * 2 ** (tries - 1), OUTAGE_PAUSE_MS_MAX);
  const untilMs = Math.min(Math.max(Date.parse(at) + pauseMs, askedMs), endMs);
  const until = new Date(untilMs).toISOString();
  const scarce = findScarce(run, needOf(run, open), until);
  return scarce === undefined ? { until } : { parked: { kind: "budget", ...scarce } };
}

/**
 * The room for the next turn: one more request, and the actions that it repeats. One turn is left
 * for a person.
 */
function needOf(
  { spending }: RunProjection,
  { provider, isInThread, spentBefore, failedCost = {} }: OpenTurn,
): Amounts {
  const { activeMs, ...request } = provider?.reserve ?? {};
  const one = addAmounts(request, activeMs === undefined ? {} : { activeMs: 1 });
  if (isInThread === true) return { ...one, turns: 2 };
  const cost = subtractAmounts(committed(spending), spentBefore);
  return { ...addAmounts(one, subtractAmounts(cost, failedCost)), turns: 2 };
}

type Scarce = Omit<Extract<Parked, { kind: "budget" }>, "kind">;

/** The cap that has no room for an amount; those for periods, at a time. */
function findScarce(
  { spec, spending }: RunProjection,
  need: Amounts,
  at: string,
): Scarce | undefined {
  const { budget = {}, perPeriod = {} } = spec?.grant ?? {};
  const unit = findShort(budget, need, committed(spending));
  if (unit !== undefined) return { unit };
  const { periods } = periodFacts(perPeriod, at);
  for (const period of PERIOD_KINDS) {
    const known = spending.periodic?.[period];
    const spent = known?.period === periods?.[period] ? known?.amounts : undefined;
    const short = findShort(perPeriod[period] ?? {}, need, spent ?? {});
    if (short !== undefined) return { unit: short, period };
  }
  return undefined;
}

function findShort(cap: Amounts, need: Amounts, spent: Amounts): Unit | undefined {
  return listUnits(cap).find((unit) => {
    const wanted = need[unit] ?? 0;
    return wanted > 0 && (cap[unit] ?? 0) - (spent[unit] ?? 0) < wanted;
  });
}
