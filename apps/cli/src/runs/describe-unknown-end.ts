import type { UnknownEnd } from "@turnseal/host";
import { type Span, toned } from "../terminal/line.ts";

/** Says that an action may have happened, for as long as anybody looks at its run. */
export function describeUnknownEnd({ turn, claim, name }: UnknownEnd): (Span | string)[] {
  return [
    toned("bad", "unknown"),
    `: ${name} may have happened (turn ${turn}, event ${claim}): check where it acts`,
  ];
}
