import type { RunProjection } from "./projection/run-projection.ts";

/** What a run is owed: a function of its log, never of what an attempt did. */
export type Dues =
  | { readonly kind: "done" }
  | { readonly kind: "continue" }
  /**
   * Only a person, or something in the inbox, moves it; at `atMs` what is waited for has run out.
   */
  | { readonly kind: "wait"; readonly atMs?: number }
  | { readonly kind: "wake"; readonly atMs: number };

export function dues({ stopped, spec, openTurn, isCancelled }: RunProjection): Dues {
  if (stopped !== null) return { kind: "done" };
  if (spec === null) return { kind: "wait" };
  const isHanded = (openTurn?.open ?? []).some(({ handoff }) => handoff !== null);
  // Whatever it waited for, it ends now; but for a run that it started, which is cancelled first.
  if (isCancelled) return { kind: isHanded ? "wait" : "continue" };
  const waiting = openTurn?.waiting;
  if (waiting === null || waiting === undefined) return { kind: "continue" };
  if (waiting.until === null) return { kind: "wait" };
  const atMs = Date.parse(waiting.until);
  return { kind: waiting.for === "person" ? "wait" : "wake", atMs };
}
