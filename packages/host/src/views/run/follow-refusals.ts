/**
 * What a run was refused: an action that the grant or a rule denied or a budget had no room for,
 * and turns that were not admitted. A fold of its events.
 */
import type { LoopEvent } from "@turnseal/protocol";

export interface Refusal {
  readonly turn: number;
  /** The sequence number of the event that says so. */
  readonly event: number;
  readonly at: string;
  /** What was refused, and by what: words of ours. */
  readonly what: string;
}

/** How many of the latest are kept. */
export const REFUSALS_MAX = 50;

const REFUSED: ReadonlySet<string> = new Set(["POLICY_DENIED", "BUDGET_EXCEEDED"]);

export interface RefusalFold {
  take(event: LoopEvent): void;
  /** The latest, in the order of the log. */
  list(): readonly Refusal[];
}

export function followRefusals(): RefusalFold {
  const refusals: Refusal[] = [];
  // A refusal passes through the calls above the one that met it, and is told once.
  const passed = new Set<string>();
  return {
    list: () => refusals,
    take: (event) => {
      const { type, call = "", parentCall } = event;
      if (type === "turn.closed") passed.clear();
      const what = describe(event);
      if (what === undefined) return;
      const isPassedOn = passed.delete(call);
      if (parentCall !== undefined) passed.add(parentCall);
      if (!isPassedOn) refusals.push(what);
      if (refusals.length > REFUSALS_MAX) refusals.shift();
    },
  };
}

function describe({ type, turn = 0, sequence, at, content }: LoopEvent): Refusal | undefined {
  const place = { turn, event: sequence, at };
  if (type === "turn.denied")
    return { ...place, what: `turn ${turn} was denied: ${content.reason}` };
  if (type !== "call.errored" || !REFUSED.has(String(content.code))) return undefined;
  return { ...place, what: String(content.message) };
}
