/**
 * Checkpoints: places in the log of a run that a rollback can go back to (spec/rollback.md §5).
 * They are derived and never stored: the log is enough to find them, and they cannot be replaced.
 */

import { foldRun, keepsGraph, readStateHash } from "@turnseal/folds/graph";
import type { Stores } from "@turnseal/ports";
import { artifactsOf } from "../../drift/artifacts-of.ts";
import { readEvents } from "../../state/load-projection.ts";

export interface Checkpoint {
  readonly run: string;
  /** `turn`: its end, or the beginning of the run. `plan`: before a plan was proposed. */
  readonly at: "turn" | "plan";
  /** The turn that has ended, or in which the plan was proposed; 0 for the beginning. */
  readonly turn: number;
  /** The last event before it. */
  readonly sequence: number;
  /** Of each root under which files are managed there, the digest of their first page. */
  readonly files: Readonly<Record<string, string>>;
  /** Of the graph there, where the run has one. */
  readonly stateHash?: string;
}

export interface CheckpointList {
  /** In the order of the log. */
  readonly checkpoints: readonly Checkpoint[];
  /** True if there are more. */
  readonly isCut: boolean;
}

/** Checkpoints that are listed. */
export const CHECKPOINTS_MAX = 1_000;

/** The first of them. */
export async function listCheckpoints(
  stores: Pick<Stores, "log">,
  run: string,
): Promise<CheckpointList> {
  const checkpoints: Checkpoint[] = [];
  for await (const checkpoint of readCheckpoints(stores, run)) {
    if (checkpoints.length === CHECKPOINTS_MAX) return { checkpoints, isCut: true };
    checkpoints.push(checkpoint);
  }
  return { checkpoints, isCut: false };
}

/** The checkpoint of a rollback to the end of a turn; undefined if there is none. */
export async function findCheckpoint(
  stores: Pick<Stores, "log">,
  run: string,
  turn: number,
): Promise<Checkpoint | undefined> {
  for await (const checkpoint of readCheckpoints(stores, run))
    if (checkpoint.at === "turn" && checkpoint.turn === turn) return checkpoint;
  return undefined;
}

async function* readCheckpoints(
  { log }: Pick<Stores, "log">,
  run: string,
): AsyncGenerator<Checkpoint> {
  const fold = foldRun(run);
  const files = new Map<string, string>();
  let hasGraph = false;
  const place = (at: Checkpoint["at"], turn: number, sequence: number): Checkpoint => ({
    ...{ run, at, turn, sequence },
    files: Object.fromEntries([...files].sort(([one], [other]) => (one < other ? -1 : 1))),
    ...(hasGraph ? { stateHash: readStateHash(fold.graph) } : {}),
  });
  for await (const event of readEvents(log, run, 1)) {
    const turn = event.turn ?? 0;
    // Before the first turn, and before anything that a plan says of itself.
    if (event.type === "turn.started" && turn === 1) yield place("turn", 0, event.sequence - 1);
    if (event.type === "plan.proposed") yield place("plan", turn, event.sequence - 1);
    if (event.type === "run.started") hasGraph = keepsGraph(event.content.spec);
    fold.follow(event);
    const changes = artifactsOf(event);
    if (changes?.after !== undefined) files.set(changes.root, changes.after.digest);
    else if (changes !== undefined) files.delete(changes.root);
    if (event.type === "turn.closed") yield place("turn", turn, event.sequence);
  }
}
