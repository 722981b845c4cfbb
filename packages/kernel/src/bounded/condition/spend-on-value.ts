import type { JsonValue } from "@turnseal/protocol";
import { type Meter, spend } from "../meter.ts";
import { spendOnText } from "./spend-on-text.ts";
import { isObject } from "./value.ts";

/**
 * Takes the steps for the value of an expression (spec/mapping.md §5.7). Parts may be shared, so
 * that the value can be far larger than the memory for it: each part counts every time.
 */
export function spendOnValue(value: JsonValue, meter: Meter): boolean {
  if (!spend(meter, 1)) return false;
  if (typeof value === "string") return spendOnText(meter, value.length);
  if (Array.isArray(value)) return value.every((item) => spendOnValue(item, meter));
  if (!isObject(value)) return true;
  return Object.entries(value).every(
    ([name, field]) => spendOnText(meter, name.length) && spendOnValue(field, meter),
  );
}
