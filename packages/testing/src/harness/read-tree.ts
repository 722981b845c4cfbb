/** A run and those that it handed to, with their events in the order of their times. */

import { collectEvents, readContent } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { type BlobRef, isClaimOf, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import { listTakenBack } from "./describe-run.ts";

/** A reason why there can be no fixture. The message is for people. */
export class FixtureError extends Error {}

export interface RunTree {
  readonly run: string;
  /** The root's own. */
  readonly events: readonly LoopEvent[];
  /** Of all runs. */
  readonly all: readonly LoopEvent[];
  /** True for an attempt that a crash cut off and that was made again. */
  isTakenBack(event: LoopEvent): boolean;
  /** Content that an event names; it throws where that is missing or was erased. */
  read(event: LoopEvent, reference: BlobRef | undefined): Promise<JsonValue>;
}

export async function readTree(run: string, stores: Stores): Promise<RunTree> {
  const runs = new Map<string, readonly LoopEvent[]>();
  const all = await spliceRuns(run, stores, runs);
  return {
    run,
    events: runs.get(run) ?? [],
    // Runs take turns at waiting for each other: time tells, and where it does not, the place does.
    all: all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    isTakenBack: ({ run: owner, sequence }) => listTakenBack(runs.get(owner) ?? []).has(sequence),
    read: async (event, reference) => {
      if (reference === undefined) throw new FixtureError(`${event.type} lacks its content`);
      const value = await readContent(stores, event.run, reference);
      if (value === undefined) throw new FixtureError("the content of the run was erased");
      return value;
    },
  };
}

/** Handed runs advance while the handing run waits. */
async function spliceRuns(
  run: string,
  stores: Stores,
  runs: Map<string, readonly LoopEvent[]>,
): Promise<LoopEvent[]> {
  const events = await collectEvents(stores.log, run, 1);
  runs.set(run, events);
  const spliced: LoopEvent[] = [];
  const handed: string[] = [];
  for (const event of events) {
    spliced.push(event);
    if (isClaimOf("handoff", event)) handed.push(event.content.child);
    if (event.type !== "turn.waiting") continue;
    for (const child of handed.splice(0)) spliced.push(...(await spliceRuns(child, stores, runs)));
  }
  return spliced;
}
