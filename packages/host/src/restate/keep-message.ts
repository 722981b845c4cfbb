/**
 * Keeps a message of a suspended tenant, or of one without service here, for later: its runs lose
 * no timers meanwhile. If there is no such run, nothing is lost: its message would come again for
 * ever.
 */
import type { ObjectContext } from "@restatedev/restate-sdk";
import type { Owed } from "./step-run.ts";

/** A message that could not be worked on, by the clock of the worker. */
export interface Kept {
  readonly keptAtMs: number;
  /** True if the store has nothing of the run: then nothing is due. */
  readonly isGone?: boolean;
}

/** The state that the engine keeps of it: when a message was kept last, and for how long. */
const KEPT = "kept";
/** How long a message is kept before the next look: at first, and at most. */
export const KEEP_MS_MIN = 30_000;
export const KEEP_MS_MAX = 5 * 60_000;

/** Returns a later look as the next step of the run. */
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

/** Longer each time; an old entry belongs to an earlier time without service. */
export function keepMs(nowMs: number, last: KeptState | null): number {
  if (last === null || nowMs - last.atMs > 2 * last.ms) return KEEP_MS_MIN;
  return Math.min(2 * last.ms, KEEP_MS_MAX);
}
