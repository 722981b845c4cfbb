/**
 * A provider that is away, as a fold: which turns it has ended, and when it is asked again
 * (spec/run.md §1.12). Pure: every worker reads the same time from the same log.
 */
import {
  type Amounts,
  type CallErrorCode,
  type ContentOf,
  committed,
  type EventOf,
  listUnits,
  PERIOD_KINDS,
  periodFacts,
  RETRY_FOR_MS_DEFAULT,
  subtractAmounts,
} from "@turnseal/protocol";
import type { OpenTurn, Outage, Provider, RunProjection } from "./run-projection.ts";

/** The pause after the first outage; each further one in a row doubles it. */
export const OUTAGE_PAUSE_MS = 5_000;
export const OUTAGE_PAUSE_MS_MAX = 60_000;

/** Who may come back by itself, and who lets nobody in until somebody does something. */
const away: ReadonlySet<string> = new Set([
  "MODEL_RATE_LIMITED",
  "MODEL_UNREACHABLE",
  "MODEL_FAILED",
  "MODEL_ANSWER_BROKEN",
]);
const closed: ReadonlySet<string> = new Set(["MODEL_UNAUTHORIZED", "MODEL_NOT_INSTALLED"]);

/** Why a turn ended that no provider has ended. */
const others: ReadonlySet<string> = new Set([
  ...["BUDGET_EXCEEDED", "drifted", "stalled", "withdrawn"],
]);

/**
 * What a settlement says of the provider. Anything else that the same call does takes it back, and
 * so does another's failure; what beside it succeeds or is stopped says nothing of it.
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
  if (status === "timed-out") return { provider: { is: "away", model, failure: "TIMEOUT", call } };
  const { failure = "", retry } = content;
  if (status !== "failed") return {};
  if (retry === "retry" && away.has(failure))
    return { provider: { is: "away", model, failure, call } };
  const isClosed = retry === "pause" && closed.has(failure);
  return isClosed ? { provider: { is: "closed", model, failure, call } } : {};
}

/**
 * Follows the failure of a request up to the root call. Whoever has borne it, and goes on or fails
 * for a reason of its own, takes it back.
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

/** A flow that starts something else after a failure has come to it has borne the failure. */
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
  const isParked = repeated.length > 0 || isLeftToPeople(run, open, at);
  const untilMs = isParked ? undefined : nextTryMs(run, open, { at, since, tries });
  const { model, failure } = open.provider;
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  const repeats = repeated.length === 0 ? {} : { repeats: repeated };
  return { model, failure, since, tries, ...until, ...repeats };
}

/** True while the next turn waits for a provider, until a time or for somebody's word. */
export function waitsForProvider({ stopped, openTurn, lastTurn }: RunProjection): boolean {
  const isBetween = stopped === null && openTurn === null;
  return isBetween && lastTurn?.outage !== undefined && !lastTurn.isDecided;
}

/** What begins anew does again what was done; what goes on in a thread does not. */
function listRepeated({ acted = [], isInThread }: OpenTurn): readonly string[] {
  return isInThread === true ? [] : acted;
}

/** Whether only somebody's word has the provider asked again, whatever the time. */
function isLeftToPeople(run: RunProjection, open: OpenTurn, at: string): boolean {
  return open.provider?.is === "closed" || isNearlySpent(run, open, at);
}

/** The latest `retryForMs` after the first outage of the row; never after that. */
function nextTryMs(
  { spec }: RunProjection,
  { retryAt }: OpenTurn,
  { at, since, tries }: { readonly at: string } & Pick<Outage, "since" | "tries">,
): number | undefined {
  const endMs = Date.parse(since) + (spec?.bounds.retryForMs ?? RETRY_FOR_MS_DEFAULT);
  const askedMs = retryAt === undefined ? 0 : Date.parse(retryAt);
  if (Date.parse(at) >= endMs || askedMs > endMs) return undefined;
  const pauseMs = Math.min(OUTAGE_PAUSE_MS * 2 ** (tries - 1), OUTAGE_PAUSE_MS_MAX);
  return Math.min(Math.max(Date.parse(at) + pauseMs, askedMs), endMs);
}

/** True when two more such turns do not fit: one is left for whoever has mended things. */
function isNearlySpent(
  { spec, spending }: RunProjection,
  { spentBefore }: OpenTurn,
  at: string,
): boolean {
  const { budget = {}, perPeriod = {} } = spec?.grant ?? {};
  const spent = committed(spending);
  const cost = subtractAmounts(spent, spentBefore);
  if (isScarce(budget, { cost, spent })) return true;
  const { periods } = periodFacts(perPeriod, at);
  return PERIOD_KINDS.some((kind) => {
    const known = spending.periodic?.[kind];
    const inPeriod = known?.period === periods?.[kind] ? known?.amounts : undefined;
    return isScarce(perPeriod[kind] ?? {}, { cost, spent: inPeriod ?? {} });
  });
}

/** A unit that the turn took nothing of is never scarce for it. */
function isScarce(cap: Amounts, { cost, spent }: Record<"cost" | "spent", Amounts>): boolean {
  return listUnits(cap).some((unit) => {
    const left = (cap[unit] ?? 0) - (spent[unit] ?? 0);
    return (cost[unit] ?? 0) > 0 && left < 2 * (cost[unit] ?? 0);
  });
}
