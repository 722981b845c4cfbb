import type { UnknownEnd } from "@turnseal/folds";
import { type Span, toned } from "../../screen/line.ts";
import { shortId } from "../../screen/short-id.ts";

/**
 * Renders an action that may have happened, or its later resolution; `run` if the run has stopped.
 */
export function describeUnknownEnd(end: UnknownEnd, run: string | undefined): (Span | string)[] {
  const { turn, claim, name, said, isHandoff } = end;
  const what = `${name} may have happened (turn ${turn}, event ${claim})`;
  const next = run === undefined || isHandoff ? "" : `, then turnseal inbox ${shortId(run)}`;
  if (said === undefined) return [toned("bad", "unknown"), `: ${what}: check where it acts${next}`];
  // A resolution after the end of a run is not sealed.
  const { resolution, by, sequence } = said;
  return [
    toned("warning", "unknown"),
    `: ${what}: ${resolution}, says ${by} (event ${sequence}, not sealed)`,
  ];
}
