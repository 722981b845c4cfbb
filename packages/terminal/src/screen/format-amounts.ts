import { type Amounts, BUDGET_UNITS, type Spending, type Unit } from "@turnseal/protocol";

/** Renders spending, each unit against its cap if there is one. */
export function formatSpending({ settled, assumed, open }: Spending, cap: Amounts): string {
  const parts = listUnits(settled, assumed, open, cap).flatMap((unit) => {
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
  const parts = listUnits(amounts).flatMap((unit) =>
    amounts[unit] === undefined ? [] : [`${unit} ${amounts[unit]}`],
  );
  return parts.length === 0 ? "no cap" : parts.join(", ");
}

function describePart(amount: number | undefined, name: string): string[] {
  return amount === undefined || amount === 0 ? [] : [`${amount} ${name}`];
}

/** The units that everybody knows, then the operator's own. */
function listUnits(...lists: readonly Amounts[]): readonly Unit[] {
  const used = lists.flatMap((amounts) => Object.keys(amounts)) as Unit[];
  const own = used.filter((unit) => !(BUDGET_UNITS as readonly string[]).includes(unit));
  return [...BUDGET_UNITS, ...[...new Set(own)].sort()];
}
