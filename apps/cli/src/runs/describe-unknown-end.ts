import type { UnknownEnd } from "@turnseal/host";
import { type Span, toned } from "../terminal/line.ts";
import { shortId } from "../terminal/short-id.ts";

/** Says that an action may have happened, or what a person said since; `run` where it is over. */
export function describeUnknownEnd(end: UnknownEnd, run: string | undefined): (Span | string)[] {
  const { turn, claim, name, said, isHandoff } = end;
  const what = `${name} may have happened (turn ${turn}, event ${claim})`;
  const next = run === undefined || isHandoff ? "" : `, then turnseal inbox ${shortId(run)}`;
  if (said === undefined) return [toned("bad", "unknown"), `: ${what}: check where it acts${next}`];
  // No receipt vouches for what is said after the end of a run.
  const { resolution, by, sequence } = said;
  return [
    toned("warning", "unknown"),
    `: ${what}: ${resolution}, says ${by} (event ${sequence}, not sealed)`,
  ];
}
