import type { RunProjection } from "./projection/run-projection.ts";

/** What a run is owed: a function of its log, never of what an attempt did. */
export type Dues =
  | { readonly kind: "done" }
  | { readonly kind: "continue" }
  /** Only a person, or something in the inbox, moves it. */
  | { readonly kind: "wait" }
  | { readonly kind: "wake"; readonly atMs: number };

export function dues({ stopped, spec, openTurn, isCancelled }: RunProjection): Dues {
  if (stopped !== null) return { kind: "done" };
  if (spec === null) return { kind: "wait" };
  // Whatever it waited for, it ends now.
  if (isCancelled) return { kind: "continue" };
  const waiting = openTurn?.waiting;
  if (waiting === null || waiting === undefined) return { kind: "continue" };
  return waiting.until === null
    ? { kind: "wait" }
    : { kind: "wake", atMs: Date.parse(waiting.until) };
}
