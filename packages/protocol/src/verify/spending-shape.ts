import { areAmounts } from "../budget/budget.ts";
import { PERIOD_KINDS } from "../budget/period.ts";
import { hasOnly, isText } from "../shape.ts";

const isPeriodSpending = hasOnly({ period: isText, amounts: areAmounts });

/** What a turn states of its spending (schemas/receipt.schema.json). */
export const isSpending = hasOnly(
  { settled: areAmounts, assumed: areAmounts, open: areAmounts },
  {
    periodic: hasOnly({}, Object.fromEntries(PERIOD_KINDS.map((kind) => [kind, isPeriodSpending]))),
  },
);
