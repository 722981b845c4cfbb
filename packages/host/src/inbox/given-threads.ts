/**
 * The threads that a run begins with: those of the turn that it was forked from, or the one that
 * its parent gives. The other run must be in the stores of this worker's tenant.
 */

import { applyEvent, emptyProjection, ROOT_PLACE, type RunProjection } from "@turnseal/folds";
import {
  type Content,
  type CopiedThreads,
  copyText,
  copyThreads,
  createContent,
  nameThread,
  type Registry,
} from "@turnseal/kernel";
import type { InboxRow, Stores } from "@turnseal/ports";
import { type ForkedFrom, isThreadName, type LoopEvent, type RunSpec } from "@turnseal/protocol";
import { isFinalError } from "../state/final-error.ts";
import { readEvents } from "../state/load-projection.ts";
import { isSpec } from "./draft-start.ts";

interface GivingPorts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly registry: Registry;
  /** The content of the run that gets them. */
  readonly content: Content;
}

export const NOTHING_GIVEN: CopiedThreads = { threads: [], blobs: [] };

/** The threads of a start, if it has any; undefined if they cannot be read. */
export async function readGivenThreads(
  { kind, body }: InboxRow,
  ports: GivingPorts,
): Promise<CopiedThreads | undefined> {
  const { spec, thread, threadName } = body;
  // An invalid start is refused where it is drafted.
  if (kind !== "start" || !isSpec(spec)) return NOTHING_GIVEN;
  const { forkedFrom, parent } = spec;
  if (forkedFrom !== undefined) return readFork(forkedFrom, ports);
  if (typeof thread !== "string" || parent === undefined) return NOTHING_GIVEN;
  const name = isThread(threadName) ? threadName : nameHere(spec, ports);
  // A root without a thread gets none.
  return name === undefined ? NOTHING_GIVEN : copyText(name, thread, ports.content);
}

function isThread(name: unknown): name is string {
  return name === ROOT_PLACE || isThreadName(name);
}

/** For a start of a version that does not name the thread. */
function nameHere({ loop, version }: RunSpec, { registry }: GivingPorts): string | undefined {
  const definition = registry.resolve(loop, version)?.definition;
  return definition === undefined ? undefined : nameThread(definition, ROOT_PLACE);
}

async function readFork(
  { run, turn }: ForkedFrom,
  { stores, content }: GivingPorts,
): Promise<CopiedThreads | undefined> {
  const isEnd = (event: LoopEvent): boolean => event.type === "turn.started" && event.turn === turn;
  let before: RunProjection = emptyProjection(run);
  for await (const event of readEvents(stores.log, run, 1)) {
    if (isEnd(event)) break;
    before = applyEvent(before, event);
  }
  if (before.spec === null || before.openTurn !== null || before.turns + 1 !== turn)
    return undefined;
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return undefined;
  const source = {
    content: createContent(run, key, stores.blobs),
    readEvents: (from: number) => readEvents(stores.log, run, from),
    isEnd,
  };
  try {
    return await copyThreads(before.threads, source, content);
  } catch (error) {
    // The content was erased meanwhile.
    if (isFinalError(error)) return undefined;
    throw error;
  }
}
