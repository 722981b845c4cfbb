import type { Outcome, Paused } from "../outcome.ts";

/**
 * What goes on when something happens to any of those that wait. It looks again at the earliest of
 * their times, and says when one of them goes on by itself, whoever the others wait for.
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

/** When it goes on by itself; the time of one that waits for others is when that runs out. */
function findWake({ untilMs, isAsked, signals, wakesMs }: Paused): number | undefined {
  return isAsked === true || signals !== undefined ? wakesMs : untilMs;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
