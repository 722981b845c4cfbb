import type { RunProjection } from "./run-projection.ts";

/** A run that was left alone, as a person sees it who may lift that. */
export interface Quarantined {
  readonly turn: number;
  /** ISO 8601. */
  readonly since: string;
  /** The action at which workers were lost. */
  readonly name: string;
}

/** The turn of a run that is quarantined, and since when; undefined for any other run. */
export function findQuarantined(
  run: Pick<RunProjection, "blocked" | "openTurn"> | undefined,
): Quarantined | undefined {
  if (run?.blocked?.cause !== "quarantined" || run.openTurn === null) return undefined;
  return { turn: run.openTurn.turn, since: run.blocked.at, name: run.blocked.what };
}
