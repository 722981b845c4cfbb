import { applyEvent, emptyProjection, FOLD, type RunProjection } from "@turnseal/folds";
import { type EventLog, READ_EVENTS_MAX, type RunSnapshot, type RunStore } from "@turnseal/ports";
import type { Head, LoopEvent } from "@turnseal/protocol";

export type LoadedProjection =
  | { readonly kind: "loaded"; readonly projection: RunProjection }
  /** The snapshot has events that the log lacks: an older log was restored behind it. */
  | { readonly kind: "stale" };

/** The stores that the state of a run is read from. */
export interface RunReader {
  readonly log: Pick<EventLog, "read" | "readHead">;
  readonly runs: Pick<RunStore, "read">;
}

/** The state of a run: its snapshot, and what came after. */
export async function loadProjection(
  { log, runs }: RunReader,
  run: string,
  head: Head,
): Promise<LoadedProjection> {
  return foldOnto(await runs.read(run), { log, run, head });
}

/** Where a log stands that is folded. */
export interface FoldedLog {
  readonly log: Pick<EventLog, "read">;
  readonly run: string;
  readonly head: Head;
}

/** A snapshot, and what came after. */
export async function foldOnto(
  snapshot: RunSnapshot | undefined,
  { log, run, head }: FoldedLog,
): Promise<LoadedProjection> {
  if (snapshot !== undefined && snapshot.sequence > head.sequence) return { kind: "stale" };
  let projection = readSnapshot(snapshot) ?? emptyProjection(run);
  // Every append stores a snapshot, so that mostly there is nothing after it.
  if (projection.sequence === head.sequence)
    return projection.hash === head.hash ? { kind: "loaded", projection } : { kind: "stale" };
  for await (const event of readEvents(log, run, projection.sequence + 1)) {
    if (event.previous !== projection.hash) return { kind: "stale" };
    projection = applyEvent(projection, event);
  }
  return { kind: "loaded", projection };
}

/**
 * The state in a snapshot; undefined for one of another fold. A worker of another version may have
 * written it, before a deployment or after a rollback: it is made again from the events.
 */
export function readSnapshot(snapshot: RunSnapshot | undefined): RunProjection | undefined {
  if (snapshot === undefined) return undefined;
  const { fold, ...state } = snapshot.state;
  return fold === FOLD ? (state as unknown as RunProjection) : undefined;
}

/** The events of a run from `from` on, page by page. */
export async function* readEvents(
  log: Pick<EventLog, "read">,
  run: string,
  from: number,
): AsyncGenerator<LoopEvent> {
  for (let next = from; ; ) {
    const page = await log.read(run, next, READ_EVENTS_MAX);
    yield* page;
    if (page.length < READ_EVENTS_MAX) return;
    next += page.length;
  }
}

/** All of them at once: for a turn, whose length is bounded. */
export async function collectEvents(
  log: EventLog,
  run: string,
  from: number,
): Promise<LoopEvent[]> {
  const events: LoopEvent[] = [];
  for await (const event of readEvents(log, run, from)) events.push(event);
  return events;
}
