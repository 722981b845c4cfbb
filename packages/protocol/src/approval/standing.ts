/**
 * Standing approvals (spec/approval.md §11): what a rule lets a person give, what was given, and
 * what an action draws of it. The kernel uses these before a claim, and verifiers after it.
 */
import { type Amounts, listUnits } from "../budget/budget.ts";
import { canonicalize, type JsonObject } from "../canonical-json.ts";
import { mayBeStandingTerms, type StandingTerms } from "../policy/standing-terms.ts";

/** True when what is given is no more than what may be. */
export function isWithinStanding(given: StandingTerms, most: StandingTerms): boolean {
  const { amounts = {} } = given;
  const limits = most.amounts ?? {};
  return (
    mayBeStandingTerms(given) &&
    given.uses <= most.uses &&
    given.withinMs <= most.withinMs &&
    listUnits(limits).every((unit) => {
      const amount = amounts[unit];
      return amount !== undefined && amount <= (limits[unit] ?? 0);
    })
  );
}

/** The smallest of each number, and every limit. */
export function narrowStanding(one: StandingTerms, other: StandingTerms): StandingTerms {
  const limits = [one.amounts ?? {}, other.amounts ?? {}];
  const units = [...new Set(limits.flatMap((amounts) => listUnits(amounts)))];
  const smallest = units.map((unit) => {
    return [unit, Math.min(...limits.flatMap((amounts) => amounts[unit] ?? []))];
  });
  return {
    uses: Math.min(one.uses, other.uses),
    withinMs: Math.min(one.withinMs, other.withinMs),
    ...(units.length === 0 ? {} : { amounts: Object.fromEntries(smallest) }),
  };
}

/** What is left of an approval that stands. */
export interface StandingRest {
  readonly usesLeft: number;
  /** By unit; absent where the approval has no amounts. */
  readonly left?: Amounts;
}

/** One use, as a claim records it. */
export interface StandingDraw extends StandingRest {
  /** The decision, by its sequence number. */
  readonly decision: number;
}

/** True when a use is left, and enough of each unit, all of which the action reserves. */
export function hasRest({ usesLeft, left = {} }: StandingRest, reserve: Amounts): boolean {
  const isEnough = listUnits(left).every((unit) => (reserve[unit] ?? 0) <= (left[unit] ?? 0));
  return usesLeft > 0 && isEnough && reservesAll(left, reserve);
}

/** True when an action says how much it costs of each unit. */
export function reservesAll(left: Amounts, reserve: Amounts): boolean {
  return listUnits(left).every((unit) => reserve[unit] !== undefined);
}

/** What is left after one more use. */
export function drawRest({ usesLeft, left }: StandingRest, reserve: Amounts): StandingRest {
  const uses = Math.max(0, usesLeft - 1);
  if (left === undefined) return { usesLeft: uses };
  const rest = listUnits(left).map((unit) => {
    return [unit, Math.max(0, (left[unit] ?? 0) - (reserve[unit] ?? 0))];
  });
  return { usesLeft: uses, left: Object.fromEntries(rest) };
}

/** The fields of a request that every action under its standing approval shares. */
const STANDING_FIELDS = [
  ...["action", "tool", "build", "effect", "secrets", "root"],
  ...["compensation", "irreversible", "rule", "role", "policy"],
];

/** Names what an approval stands for, to compare a request with a claim. */
export function nameStanding(content: object): string {
  const fields = content as JsonObject;
  return canonicalize(STANDING_FIELDS.map((name) => fields[name] ?? null));
}

/** True for an action that may be under a standing approval: the plain call of a tool. */
export function mayBeStanding(content: object): boolean {
  const fields = content as JsonObject;
  const others = ["takesBack", "group", "held", "planned"];
  return fields["action"] === "tool" && others.every((name) => fields[name] === undefined);
}
