import type { RunProjection } from "./run-projection.ts";

/** The turn of a run that is quarantined, and since when; undefined for any other run. */
export function findQuarantined(
  run: Pick<RunProjection, "blocked" | "openTurn"> | undefined,
): { readonly turn: number; readonly since: string } | undefined {
  if (run?.blocked?.cause !== "quarantined" || run.openTurn === null) return undefined;
  return { turn: run.openTurn.turn, since: run.blocked.at };
}
