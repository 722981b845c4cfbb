/**
 * Adds up a run's spending again, and holds every claim against the caps (spec/receipt.md §6.4,
 * §6.6).
 */
import {
  type Amounts,
  areAmounts,
  findExcess,
  NO_SPENDING,
  type Spending,
} from "../budget/budget.ts";
import { kindsOf, PERIOD_KINDS, periodOf } from "../budget/period.ts";
import { canonicalize, isPlainObject, type JsonValue } from "../canonical-json.ts";
import { foldSpending } from "../events/fold-spending.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";
import { followHanded } from "./follow-handed.ts";
import type { TurnPlace } from "./follow-turns.ts";
import { isSpending } from "./spending-shape.ts";

export interface BudgetFollower {
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

export function followBudget(): BudgetFollower {
  let spending = NO_SPENDING;
  const handed = followHanded();
  return {
    follow: (event, place) => {
      const findings: Finding[] = [];
      const report = (code: "BUDGET_ARITHMETIC" | "BUDGET_EXCEEDED", message: string): void => {
        findings.push(finding(code, message, placeOf(event)));
      };
      if (!hasAmounts(event)) {
        report("BUDGET_ARITHMETIC", "an amount is not a whole number of a known unit");
        return findings;
      }
      const stated = statedBy(event);
      if (stated !== undefined && !isEqual(stated, spending)) {
        report("BUDGET_ARITHMETIC", "the turn states other amounts than its events add up to");
        // What follows is measured from what is stated: one wrong sum is one finding.
        if (isSpending(stated)) spending = stated as unknown as Spending;
      }
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

const moving: ReadonlySet<string> = new Set([
  "action.claimed",
  "action.settled",
  "action.resolved",
]);

function hasAmounts({ type, content: { reserve = {}, spent = {} } }: RawEvent): boolean {
  return !moving.has(type) || (areAmounts(reserve) && areAmounts(spent));
}

function statedBy({ type, content }: RawEvent): JsonValue | undefined {
  return type === "turn.started" || type === "turn.closed"
    ? (content["spending"] ?? null)
    : undefined;
}

function isEqual(stated: JsonValue, spending: Spending): boolean {
  return canonicalize(stated) === canonicalize(spending);
}

/** A claim names the periods that it is counted in: those of its own time, of every capped kind. */
function isInItsPeriods({ type, at, content }: RawEvent, place: TurnPlace | undefined): boolean {
  const { periods = {}, supersedes } = content;
  // What takes the place of an earlier claim is counted where that one is.
  const isCounted =
    type === "turn.started" || (type === "action.claimed" && supersedes === undefined);
  if (!isCounted) return true;
  if (!isPlainObject(periods)) return false;
  const isRight = Object.entries(periods).every(([name, period]) =>
    PERIOD_KINDS.some((kind) => kind === name && periodOf(kind, at) === period),
  );
  const capped = type === "turn.started" ? [] : kindsOf(place?.grant?.perPeriod);
  return isRight && capped.every((kind) => periods[kind] !== undefined);
}

function exceedsCap(
  { type, at, content }: RawEvent,
  place: TurnPlace | undefined,
  spending: Spending,
): boolean {
  // A claim that supersedes another reserves nothing of its own.
  const isNew = type === "action.claimed" && content["supersedes"] === undefined;
  if (!isNew || place?.grant === undefined) return false;
  const wanted = (content["reserve"] ?? {}) as Amounts;
  return findExcess(place.grant, spending, { wanted, at }) !== undefined;
}
