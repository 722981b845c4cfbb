import type { Outcome, Paused } from "../outcome.ts";

/**
 * Combines the pauses of parallel parts: any of them can go on first. The pause ends at the
 * earliest of their times, and says when a part goes on by itself, even if others wait for people.
 */
export function waitForAll(results: readonly (Outcome<unknown> | { kind: "stopped" })[]): Paused {
  const paused = results.filter((result) => result.kind === "paused");
  const untilMs = earliest(paused.map((each) => each.untilMs));
  const [block] = paused.flatMap((each) => (each.block === undefined ? [] : [each.block]));
  const isAsked = paused.some((each) => each.isAsked === true);
  const isHanded = paused.some((each) => each.isHanded === true);
  const signals = [...new Set(paused.flatMap((each) => each.signals ?? []))].sort();
  const isForOthers = isAsked || signals.length > 0;
  const wakesMs = isForOthers ? earliest(paused.map(findWake)) : undefined;
  return {
    kind: "paused",
    ...(block === undefined ? {} : { block }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(isAsked ? { isAsked } : {}),
    ...(isHanded ? { isHanded } : {}),
    ...(signals.length === 0 ? {} : { signals }),
    ...(wakesMs === undefined ? {} : { wakesMs }),
  };
}

/** Returns when it goes on by itself; for one that waits for others, its time limit. */
function findWake({ untilMs, isAsked, signals, wakesMs }: Paused): number | undefined {
  return isAsked === true || signals !== undefined ? wakesMs : untilMs;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
