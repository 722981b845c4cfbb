/**
 * A message of a tenant that is suspended, or that this worker does not serve, comes again later: a
 * run whose tenant may not act for a while loses none of its timers. Where there is no such run any
 * more, or never was, there is nothing to lose: its message would come again for ever.
 */
import type { ObjectContext } from "@restatedev/restate-sdk";
import type { Owed } from "./step-run.ts";

/** A message that could not be worked on, by the clock of the worker. */
export interface Kept {
  readonly keptAtMs: number;
  /** True where the store has nothing of the run: it is owed nothing. */
  readonly isGone?: boolean;
}

/** The state that the engine keeps of it: when a message was kept last, and for how long. */
const KEPT = "kept";
/** How long a message is kept before it is looked at again: at first, and at most. */
export const KEEP_MS_MIN = 30_000;
export const KEEP_MS_MAX = 5 * 60_000;

/** What the run is owed meanwhile: a later look. */
export async function keepMessage(
  ctx: Pick<ObjectContext, "get" | "set">,
  { keptAtMs: nowMs, isGone = false }: Kept,
): Promise<Owed> {
  if (isGone) return { sequence: 0, continues: false, others: [], nowMs };
  const last = await ctx.get<KeptState>(KEPT);
  const ms = keepMs(nowMs, last);
  ctx.set<KeptState>(KEPT, { atMs: nowMs, ms });
  return { sequence: 0, continues: false, others: [], nowMs, wakeAtMs: nowMs + ms };
}

interface KeptState {
  readonly atMs: number;
  readonly ms: number;
}

/** Longer each time; what was kept long ago was another time that nobody served it. */
export function keepMs(nowMs: number, last: KeptState | null): number {
  if (last === null || nowMs - last.atMs > 2 * last.ms) return KEEP_MS_MIN;
  return Math.min(2 * last.ms, KEEP_MS_MAX);
}
