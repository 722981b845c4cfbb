import { type Amounts, BUDGET_UNITS, type Spending } from "@turnseal/protocol";

/** What is spent, each unit against its cap where there is one. */
export function formatSpending({ settled, assumed, open }: Spending, cap: Amounts): string {
  const parts = BUDGET_UNITS.flatMap((unit) => {
    const spent = settled[unit] ?? 0;
    const limit = cap[unit];
    const beside = [
      ...describePart(assumed[unit], "assumed"),
      ...describePart(open[unit], "reserved"),
    ];
    if (spent === 0 && beside.length === 0 && limit === undefined) return [];
    const note = beside.length === 0 ? "" : ` (+${beside.join(", +")})`;
    return [`${unit} ${spent}${note}${limit === undefined ? "" : ` of ${limit}`}`];
  });
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

/** Amounts as a list. */
export function formatAmounts(amounts: Amounts): string {
  const parts = BUDGET_UNITS.flatMap((unit) =>
    amounts[unit] === undefined ? [] : [`${unit} ${amounts[unit]}`],
  );
  return parts.length === 0 ? "no cap" : parts.join(", ");
}

function describePart(amount: number | undefined, name: string): string[] {
  return amount === undefined || amount === 0 ? [] : [`${amount} ${name}`];
}
