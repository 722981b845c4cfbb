import type { OpenHandoff, RunProjection } from "./run-projection.ts";

/** The runs that were handed to and have not ended. */
export function listHandoffs({ openTurn }: RunProjection): OpenHandoff[] {
  return (openTurn?.open ?? []).flatMap(({ handoff }) => (handoff === null ? [] : [handoff]));
}
