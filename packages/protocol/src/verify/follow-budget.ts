/**
 * Adds up a run's spending again, and holds every claim against the caps (spec/receipt.md §6.4,
 * §6.6).
 *
 * 1. Counts are recomputed: each claim reserves itself, and each settlement spends the attempt,
 *    unless the provider did not process it.
 */
import {
  type Amounts,
  findExcess,
  isUnprocessedFailure,
  NO_SPENDING,
  type Spending,
} from "../budget/budget.ts";
import { kindsOf, PERIOD_KINDS, periodOf } from "../budget/period.ts";
import { canonicalize, type JsonObject } from "../canonical-json.ts";
import { foldSpending } from "../events/fold-spending.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { GROUP_TOOL, PLAN_TOOL } from "../tool-reference.ts";
import { type Finding, finding } from "./finding.ts";
import { followHanded } from "./follow-handed.ts";
import type { TurnPlace } from "./follow-turns.ts";

export interface BudgetFollower {
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

export function followBudget(): BudgetFollower {
  let spending = NO_SPENDING;
  /** The claims of the turn, by sequence number. */
  let claims = new Map<unknown, JsonObject>();
  const handed = followHanded();
  return {
    follow: (event, place) => {
      const findings: Finding[] = [];
      const report = (code: "BUDGET_ARITHMETIC" | "BUDGET_EXCEEDED", message: string): void => {
        findings.push(finding(code, message, placeOf(event)));
      };
      if (event.type === "turn.started") claims = new Map();
      if (event.type === "action.claimed") claims.set(event.sequence, event.content);
      const stated = statedBy(event);
      if (stated !== undefined && canonicalize({ ...stated }) !== canonicalize({ ...spending })) {
        report("BUDGET_ARITHMETIC", "the turn states other amounts than its events add up to");
        // Later sums start from the stated one: one wrong sum is one finding.
        spending = stated;
      }
      if (!countsItself(event, claims))
        report(
          "BUDGET_ARITHMETIC",
          "an action does not count itself in what it reserves or spends",
        );
      if (!isInItsPeriods(event, place))
        report("BUDGET_ARITHMETIC", "an amount is not counted in the periods of its event");
      if (!handed.isCounted(event, place, spending))
        report("BUDGET_ARITHMETIC", "a handoff states other amounts than were committed before");
      if (exceedsCap(event, place, handed.carry(event, place, spending)))
        report("BUDGET_EXCEEDED", "a claim lifts an amount over a cap of the grant");
      handed.follow(event);
      spending = foldSpending(spending, event);
      return findings;
    },
  };
}

function placeOf({ sequence, turn }: RawEvent): { sequence: number; turn?: number } {
  return turn === undefined ? { sequence } : { sequence, turn };
}

function statedBy({ type, content }: RawEvent): Spending | undefined {
  // The schema of both types has looked at it.
  return type === "turn.started" || type === "turn.closed"
    ? (content["spending"] as unknown as Spending)
    : undefined;
}

/** A claim reserves at least itself, and a settlement spends at least the attempt. */
function countsItself(
  { type, content }: RawEvent,
  claims: ReadonlyMap<unknown, JsonObject>,
): boolean {
  if (type === "action.claimed") return covers(content["reserve"], leastOf(content, true));
  if (type !== "action.settled") return true;
  const claim = claims.get(content["claim"]) ?? {};
  const attempt = isUnprocessed(claim, content) ? {} : leastOf(claim, content["status"] === "ok");
  const tokens = claim["action"] === "model" && content["status"] === "ok" ? tokensOf(content) : {};
  return covers(content["spent"], { ...attempt, ...tokens });
}

/** A request to a model that the provider did not process costs nothing. */
function isUnprocessed({ action }: JsonObject, { status, failure }: JsonObject): boolean {
  return action === "model" && status === "failed" && isUnprocessedFailure(failure);
}

/** The runtime's own steps, which are no action on the world. */
const uncounted: ReadonlySet<unknown> = new Set([GROUP_TOOL, PLAN_TOOL]);

/** The amounts of an action; an effect counts once it was done. */
function leastOf({ action, tool, effect }: JsonObject, isDone: boolean): Amounts {
  if (action === "model") return { rounds: 1, modelCalls: 1 };
  if (action === "handoff") return { handoffs: 1 };
  if (action !== "tool" || uncounted.has(tool)) return {};
  return effect === "read" || !isDone ? { toolCalls: 1 } : { toolCalls: 1, effects: 1 };
}

/** The tokens that a provider counted; what is unknown counts as what was reserved. */
function tokensOf({ inputTokens, outputTokens, usage, reserve }: JsonObject): Amounts {
  // The schema of a settlement has looked at them.
  const stated = { inputTokens, outputTokens } as TokenCounts;
  const reserved = reserve as unknown as Amounts;
  const hasInput = (stated.inputTokens ?? 0) > 0;
  // Without an input, the gap may be that alone: an empty answer has no output.
  const isOutputKnown = stated.outputTokens === 0 && !(hasInput && usage !== undefined);
  const count = (unit: keyof TokenCounts): number => stated[unit] || (reserved[unit] ?? 0);
  return {
    inputTokens: count("inputTokens"),
    outputTokens: isOutputKnown ? 0 : count("outputTokens"),
  };
}

type TokenCounts = Pick<Amounts, "inputTokens" | "outputTokens">;

function covers(amounts: unknown, least: Amounts): boolean {
  const given = amounts as Amounts;
  return Object.entries(least).every(([unit, amount]) => (given[unit as "turns"] ?? 0) >= amount);
}

/** A claim names the periods that it is counted in: those of its own time, of every capped kind. */
function isInItsPeriods({ type, at, content }: RawEvent, place: TurnPlace | undefined): boolean {
  const { periods, supersedes } = content;
  // A claim that supersedes another counts in the periods of that one.
  const isCounted =
    type === "turn.started" || (type === "action.claimed" && supersedes === undefined);
  if (!isCounted) return true;
  const named = (periods ?? {}) as JsonObject;
  const isRight = PERIOD_KINDS.every(
    (kind) => named[kind] === undefined || named[kind] === periodOf(kind, at),
  );
  const capped = type === "turn.started" ? [] : kindsOf(place?.grant?.perPeriod);
  return isRight && capped.every((kind) => named[kind] !== undefined);
}

function exceedsCap(
  { type, at, content }: RawEvent,
  place: TurnPlace | undefined,
  spending: Spending,
): boolean {
  // A claim that supersedes another reserves nothing of its own.
  const isNew = type === "action.claimed" && content["supersedes"] === undefined;
  if (!isNew || place?.grant === undefined) return false;
  const wanted = content["reserve"] as unknown as Amounts;
  return findExcess(place.grant, spending, { wanted, at }) !== undefined;
}
