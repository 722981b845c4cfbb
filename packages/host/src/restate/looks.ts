/** Looks at many runs of one tenant that are asked for at once. */
import { hasOnly, type Is, isCountWithin, isListOf, isText } from "@turnseal/protocol/shape";
import { parseRunKey } from "./run-key.ts";

export interface Look {
  readonly run: string;
  /** In how long; at once unless given. */
  readonly delayMs?: number;
}

/** One message asks for at most so many: the engine keeps a line of its journal for each. */
export const LOOKS_MAX = 500;
/** A year: whatever is due later is looked at then, and found to be early. */
export const LOOK_DELAY_MS_MAX = 366 * 24 * 60 * 60 * 1000;

const isRun: Is<string> = (value): value is string =>
  isText(value) && parseRunKey(`any:${value}`) !== undefined;

const isLook = hasOnly(
  { run: isRun },
  { delayMs: isCountWithin({ least: 0, most: LOOK_DELAY_MS_MAX }) },
) as Is<Look>;

/** What comes through the ingress is from outside. */
export const isLooks: Is<readonly Look[]> = isListOf(isLook, { most: LOOKS_MAX });
