/** The terms of a standing approval: what a rule allows, and what a person gives. */
import { type Amounts, areAmounts, listUnits } from "../budget/budget.ts";
import { hasOnly, type Is, isCount, isCountWithin } from "../shape.ts";

/** How far an approval stands: how often, how long, and for how much. */
export interface StandingTerms {
  readonly uses: number;
  readonly withinMs: number;
  readonly amounts?: Amounts;
}

/** Uses of one approval. */
export const STANDING_USES_MAX = 1_000;
/** The longest time that one approval stands: 30 days. */
export const STANDING_WITHIN_MS_MAX = 30 * 24 * 60 * 60 * 1000;
/** Units that one approval may be limited in. */
export const STANDING_UNITS_MAX = 32;

/** The terms as events hold them: whether they are too wide is compared with the request. */
export const areStandingTerms: Is<StandingTerms> = hasOnly(
  { uses: isCount, withinMs: isCount },
  { amounts: areAmounts },
);

const areNumbersWithin = hasOnly(
  {
    uses: isCountWithin({ least: 1, most: STANDING_USES_MAX }),
    withinMs: isCountWithin({ least: 1, most: STANDING_WITHIN_MS_MAX }),
  },
  { amounts: areAmounts },
);

/** True for terms that a rule or a person may write. */
export const mayBeStandingTerms: Is<StandingTerms> = (value): value is StandingTerms => {
  if (!areNumbersWithin(value)) return false;
  const { amounts } = value;
  if (amounts === undefined) return true;
  const units = listUnits(amounts);
  const isSome = units.length >= 1 && units.length <= STANDING_UNITS_MAX;
  return isSome && units.every((unit) => (amounts[unit] ?? 0) >= 1);
};
