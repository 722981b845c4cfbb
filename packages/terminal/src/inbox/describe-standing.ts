/** The words for an approval that stands: the most that it still allows. */
import {
  type Condition,
  isPlainObject,
  type JsonValue,
  type Pattern,
  type StandingRest,
  type StandingTerms,
} from "@turnseal/protocol";
import { formatDuration } from "../screen/format-duration.ts";

/** Describes how far a person may let an approval stand. */
export function describeMayStand(mayStand: StandingTerms | undefined): string | undefined {
  if (mayStand === undefined) return undefined;
  const { uses, withinMs, amounts } = mayStand;
  const rest = amounts === undefined ? { usesLeft: uses } : { usesLeft: uses, left: amounts };
  return `for ${describeRest(rest)} within ${formatDuration(withinMs)}, in this run alone`;
}

/** The uses that are left, and the amounts. */
export function describeRest({ usesLeft, left = {} }: StandingRest): string {
  const amounts = Object.entries(left).map(([unit, most]) => `${unit} ${most}`);
  const limit = amounts.length === 0 ? "" : `, ${amounts.join(" and ")} in all`;
  return `${usesLeft} more ${usesLeft === 1 ? "call" : "calls"}${limit}`;
}

/** The arguments that a pattern covers, field by field. */
export function describePattern(pattern: Pattern | undefined): string {
  if (pattern === undefined) return "nothing: the pattern was erased";
  const fields = Object.entries(pattern);
  if (fields.length === 0) return "without arguments";
  return fields.map(([name, condition]) => `${name} ${describeCondition(condition)}`).join(", ");
}

function describeCondition(condition: Condition): string {
  if ("any" in condition) return "anything";
  if ("equals" in condition) return `exactly ${JSON.stringify(condition.equals)}`;
  if ("glob" in condition) return `like ${condition.glob}`;
  const { atLeast, atMost } = condition;
  if (atMost === undefined) return `at least ${atLeast}`;
  return atLeast === undefined ? `at most ${atMost}` : `from ${atLeast} to ${atMost}`;
}

/** The narrowest pattern: these very arguments. */
export function proposePattern(given: JsonValue | undefined): Pattern | undefined {
  if (!isPlainObject(given)) return undefined;
  const fields = Object.entries(given).map(([name, value]) => [name, { equals: value }]);
  return Object.fromEntries(fields) as Pattern;
}
