/** The run that is to be handed to, and that this worker cannot start. */

import type { OpenHandoff, RunProjection } from "@turnseal/folds";
import type { EventLog, Inbox } from "@turnseal/ports";
import type { Block } from "@turnseal/protocol";

interface StartingPorts {
  readonly stores: {
    readonly log: Pick<EventLog, "readHead">;
    readonly inbox: Pick<Inbox, "has">;
  };
  /** Knows which loops there are. */
  readonly registry: { resolve(id: string, version?: string): object | undefined };
}

/**
 * Returns what keeps this worker from starting a run that is handed to; undefined if nothing does.
 */
export async function findUnstarted(
  run: RunProjection,
  ports: StartingPorts,
): Promise<Block | undefined> {
  for (const { handoff } of run.openTurn?.open ?? [])
    if (handoff !== null && !(await canStart(handoff, ports))) return lackOf(handoff);
  return undefined;
}

/** True if its loop is, and also if the run was started already. */
export async function canStart(
  { child, loop, version }: OpenHandoff,
  { stores, registry }: StartingPorts,
): Promise<boolean> {
  if (registry.resolve(loop, version ?? undefined) !== undefined) return true;
  const head = await stores.log.readHead(child);
  return (head?.sequence ?? 0) > 0 || (await stores.inbox.has(child, "start"));
}

/** True when the log says that a run which is handed to could not be started. */
export function isUnstarted({ blocked, openTurn }: RunProjection): boolean {
  return (openTurn?.open ?? []).some(({ handoff }) => {
    const lack = handoff === null ? undefined : lackOf(handoff);
    return lack !== undefined && blocked?.cause === lack.cause && blocked.what === lack.what;
  });
}

function lackOf({ loop, version }: OpenHandoff): Block {
  return { cause: "loop-missing", what: version === null ? loop : `${loop} ${version}` };
}
