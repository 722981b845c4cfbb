/** Looks at many runs of one tenant in one request. */
import { hasOnly, type Is, isCountWithin, isListOf, isText } from "@turnseal/protocol/shape";
import { LOOK_DELAY_MS_MAX, LOOKS_MAX, type Look } from "../decide/look.ts";
import { parseRunKey } from "./run-key.ts";

const isRun: Is<string> = (value): value is string =>
  isText(value) && parseRunKey(`any:${value}`) !== undefined;

const isLook = hasOnly(
  { run: isRun },
  { delayMs: isCountWithin({ least: 0, most: LOOK_DELAY_MS_MAX }) },
) as Is<Look>;

/** The looks come from outside, through the ingress. */
export const isLooks: Is<readonly Look[]> = isListOf(isLook, { most: LOOKS_MAX });
