/**
 * A pause: a named person's word that nothing of a kind begins any more, until a named person lifts
 * it (spec/run.md §7.12). It is no event of a run: a run that meets one is blocked, and says so.
 */

/** The scope of a pause: everything, a tenant, the runs and calls of a loop, or a tool. */
export const PAUSE_SCOPES = ["all", "tenant", "loop", "tool"] as const;
export type PauseScope = (typeof PAUSE_SCOPES)[number];

export interface Pause {
  readonly scope: PauseScope;
  /** The tenant, the loop or the tool; empty where it holds everything. */
  readonly name: string;
  readonly because: string;
  /** The author of the pause. */
  readonly by: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Reads the present pauses for the tenant of a run. It rejects if they cannot be read. */
export type Pauses = () => Promise<readonly Pause[]>;

/** How much of the reason is kept: it is in the log of each run that meets the pause. */
export const PAUSE_BECAUSE_LENGTH_MAX = 200;

/** An action or turn that is about to begin. Pauses of other tenants are left out before. */
interface PausePlace {
  /** The loops that it is a part of. */
  readonly loops: readonly string[];
  /** The tools that would act. */
  readonly tools: readonly string[];
}

/** The pause that keeps something from beginning; undefined if none does. */
export function findPause(
  pauses: readonly Pause[],
  { loops, tools }: PausePlace,
): Pause | undefined {
  return pauses.find(({ scope, name }) => {
    if (scope === "loop") return loops.includes(name);
    // Every other scope holds the whole run.
    return scope !== "tool" || tools.includes(name);
  });
}

/** A pause in words: its scope, its author and time, and the reason. No two have the same. */
export function formatPause({ scope, name, because, by, since }: Pause): string {
  return `${formatPaused({ scope, name })} by ${by} at ${since}: ${because}`;
}

/** The scope of a pause, in words. */
export function formatPaused({ scope, name }: Pick<Pause, "scope" | "name">): string {
  return scope === "all" ? "everything" : `${scope} ${name}`;
}
