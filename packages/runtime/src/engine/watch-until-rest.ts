/**
 * Watches a run that workers drive. It only reads: if the watching ends, the run goes on as before.
 */
import { setTimeout as wait } from "node:timers/promises";
import { listHandoffs, type RunProjection } from "@turnseal/folds";
import { readEvents, readRun } from "@turnseal/host";
import type { LoopEvent } from "@turnseal/protocol";
import type { EngineSide } from "../folder/engine-side.ts";
import { waitsForPerson } from "../folder/run-standing.ts";
import { type FoundObstacle, findObstacle } from "../folder/search/find-obstacle.ts";
import type { StoreFolder } from "../folder/store-folder.ts";

export interface WatchOptions {
  readonly stores: StoreFolder["stores"];
  readonly engine: EngineSide;
  readonly onEvent: (event: LoopEvent) => void;
  /** The first event that is shown. */
  readonly from: number;
}

export type WatchedEnd =
  /** It has stopped, or only a person moves it. */
  | {
      readonly kind: "rests";
      readonly projection: RunProjection;
      /** The first event that was not shown. */
      readonly next: number;
    }
  | { readonly kind: "blocked"; readonly obstacle: FoundObstacle };

const LOOK_MS = 100;
const LOOK_MS_MAX = 1_000;
/** A run without movement for this long is looked at more closely. */
const STILL_MS = 3_000;

/** Shows every event from that one on. */
export async function watchUntilRest(run: string, options: WatchOptions): Promise<WatchedEnd> {
  const { stores, engine, onEvent } = options;
  let next = options.from;
  let pauseMs = LOOK_MS;
  let movedMs = Date.now();
  for (;;) {
    const from = next;
    for await (const event of readEvents(stores.log, run, next)) {
      onEvent(event);
      next = event.sequence + 1;
    }
    const { projection, isTold } = await readStanding(stores, run);
    const isSeen = projection !== undefined && projection.sequence < next;
    if (isSeen && (await isAtRest({ projection, isTold }, stores)))
      return { kind: "rests", projection, next };
    if (next > from) [pauseMs, movedMs] = [LOOK_MS, Date.now()];
    if (Date.now() - movedMs > STILL_MS) {
      const folder = { path: "", stores, engine };
      const obstacle = await findObstacle(folder, { run, projection });
      if (obstacle !== undefined) return { kind: "blocked", obstacle };
    }
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LOOK_MS_MAX);
  }
}

interface Standing {
  readonly projection: RunProjection;
  /** True if its inbox has a message that its projection may lack. */
  readonly isTold: boolean;
}

/** The inbox first: a word that is taken in between the two is in the projection then. */
async function readStanding(stores: StoreFolder["stores"], run: string) {
  const isTold = await stores.inbox.has(run);
  return { projection: await readRun(stores, run), isTold };
}

/**
 * True if it has stopped, or if it and all runs that it handed to wait for a person or a signal.
 */
async function isAtRest(
  { projection, isTold }: Standing,
  stores: StoreFolder["stores"],
): Promise<boolean> {
  if (projection.stopped !== null) return true;
  if (projection.spec === null || !waitsForPerson(projection) || isTold) return false;
  for (const { child } of listHandoffs(projection)) {
    const { projection: other, isTold: isOtherTold } = await readStanding(stores, child);
    if (other === undefined || other.stopped !== null) return false;
    if (!(await isAtRest({ projection: other, isTold: isOtherTold }, stores))) return false;
  }
  return true;
}
