import { GOT_FURTHER } from "./apply-to-turn.ts";
import type { RunProjection } from "./run-projection.ts";

/** A run that was left alone, as a person sees it who may lift that. */
export interface Quarantined {
  readonly turn: number;
  /** ISO 8601. */
  readonly since: string;
  /** The action at which workers were lost. */
  readonly name: string;
  /** How often people have lifted a quarantine of the run before. Absent where nobody has. */
  readonly lifts?: number;
}

/** The turn of a run that is quarantined, and since when; undefined for any other run. */
export function findQuarantined(
  run: Pick<RunProjection, "blocked" | "openTurn" | "lifts"> | undefined,
): Quarantined | undefined {
  if (run?.blocked?.cause !== "quarantined" || run.openTurn === null) return undefined;
  const lifts = run.lifts === undefined ? {} : { lifts: run.lifts };
  return { turn: run.openTurn.turn, since: run.blocked.at, name: run.blocked.what, ...lifts };
}

/** Lifts a quarantine on a person's word: the count of lost attempts starts at zero again. */
export function liftQuarantine(run: RunProjection): RunProjection {
  const { openTurn, lifts = 0 } = run;
  return {
    ...run,
    blocked: null,
    lifts: lifts + 1,
    openTurn: openTurn === null ? null : { ...openTurn, ...GOT_FURTHER },
  };
}
