import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { formatAmounts } from "./format-amounts.ts";
import { formatDuration } from "./format-duration.ts";
import { formatMicros } from "./format-micros.ts";

/** The worst case of a plan, as its proposer has computed it; undefined without one. */
export function describeWorst(worst: JsonValue | undefined): string | undefined {
  if (!isPlainObject(worst)) return undefined;
  const { activeMs, moneyMicros, ...amounts } = worst as Readonly<Record<string, JsonValue>>;
  const counted = Object.entries(amounts).flatMap(([unit, amount]) =>
    isAmount(amount) ? [[unit, amount] as const] : [],
  );
  return [
    ...(counted.length === 0 ? [] : [formatAmounts(Object.fromEntries(counted))]),
    ...(isAmount(moneyMicros) ? [formatMicros(moneyMicros)] : []),
    ...(isAmount(activeMs) ? [formatDuration(activeMs)] : []),
  ].join(", ");
}

function isAmount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && value > 0;
}
