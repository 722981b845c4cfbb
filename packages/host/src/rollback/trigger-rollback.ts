/**
 * The rollback that a run asks for by itself: where it stops for a cause that it names (spec/
 * rollback.md §6).
 *
 * 1. It is asked for, and nothing is taken back: people decide as if one of them had asked.
 * 2. That it is owed follows from the log, and that it was asked for from the rollback, whose id
 *    follows from the run: however often somebody looks, and whoever died in between, it is one.
 * 3. What keeps it from being asked for is said, and looked at again when the run is.
 */
import type { Stores } from "@turnseal/ports";
import type { RollbackCause } from "@turnseal/protocol/authoring";
import { isFinalError } from "../final-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { readEvents } from "../projection/load-projection.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import type { RollbackPorts } from "./list-rollback.ts";
import { type AskedRollback, checkRollback, proposeRollback } from "./propose-rollback.ts";
import { readTurnRange } from "./read-deeds.ts";
import { type KnownRollback, listRollbacks } from "./rollback-chain.ts";

/** What has become of the rollback that a run asks for by itself. */
export type TriggeredRollback = { readonly cause: RollbackCause } & (
  | { readonly kind: "asked"; readonly rollback: KnownRollback }
  /** It did nothing that could be taken back. */
  | { readonly kind: "nothing" }
  /** It is to be asked for as soon as somebody carries the run. */
  | { readonly kind: "owed" }
  | { readonly kind: "refused"; readonly message: string }
);

/** The first cause that a run names and has stopped for; undefined where there is none. */
export async function findRollbackCause(
  { run, turns, stopped, spec }: RunProjection,
  stores: Pick<Stores, "log" | "receipts">,
): Promise<RollbackCause | undefined> {
  const { rollbackOn = [] } = spec?.bounds ?? {};
  if (stopped === null || stopped === "goal-reached" || rollbackOn.length === 0) return undefined;
  // What a run did that was handed to is part of what the one above did, which is taken back whole.
  if (spec?.parent !== undefined) return undefined;
  const named = rollbackOn.find((cause) => cause === stopped);
  if (named !== undefined || !rollbackOn.includes("group")) return named;
  return (await hasBrokenGroup(run, turns, stores)) ? "group" : undefined;
}

/** True where a group of the turn did not end as `all` when it was tried last. */
async function hasBrokenGroup(
  run: string,
  turn: number,
  { log, receipts }: Pick<Stores, "log" | "receipts">,
): Promise<boolean> {
  const range = await readTurnRange(receipts, run, turn);
  if (range === undefined) return false;
  const broken = new Map<string, boolean>();
  for await (const event of readEvents(log, run, range.first))
    if (event.type === "group.closed" && event.turn === turn)
      broken.set(event.content.path, event.content.outcome !== "all");
  return [...broken.values()].includes(true);
}

/** Asks for the rollback that a run which has stopped owes; undefined where it owes none. */
async function triggerRollback(
  projection: RunProjection,
  ports: ClientPorts,
): Promise<TriggeredRollback | undefined> {
  const { run } = projection;
  const { stores } = ports;
  const cause = await findRollbackCause(projection, stores);
  if (cause === undefined) return undefined;
  // Also where a person was faster.
  const [rollback] = await listRollbacks(run, stores);
  if (rollback !== undefined) return { cause, kind: "asked", rollback };
  try {
    const asking = { ...ports, put: stores.inbox.put };
    const answer = await proposeRollback(run, askedBy(projection, cause), asking);
    if (answer.kind === "nothing") return { cause, kind: "nothing" };
    if (answer.kind === "refused") return { cause, kind: "refused", message: answer.message };
    const [asked] = await listRollbacks(run, stores);
    return asked === undefined
      ? { cause, kind: "owed" }
      : { cause, kind: "asked", rollback: asked };
  } catch (error) {
    return refuseFinal(error, cause);
  }
}

function askedBy({ startedBy }: RunProjection, cause: RollbackCause): AskedRollback {
  return {
    // Whoever must not approve what they have started must not approve this, either.
    ...(startedBy?.kind === "person" ? { by: startedBy.id } : {}),
    source: `rollbackOn:${cause}`,
  };
}

/** What cannot be asked for keeps nobody from the run. */
function refuseFinal(error: unknown, cause: RollbackCause): TriggeredRollback {
  if (!isFinalError(error)) throw error;
  return { cause, kind: "refused", message: error.message };
}

/** What has become of it, for whoever only looks. */
export async function readTriggered(
  projection: RunProjection,
  ports: RollbackPorts,
): Promise<TriggeredRollback | undefined> {
  const { run } = projection;
  const cause = await findRollbackCause(projection, ports.stores);
  if (cause === undefined) return undefined;
  const [rollback] = await listRollbacks(run, ports.stores);
  if (rollback !== undefined) return { cause, kind: "asked", rollback };
  try {
    const found = await checkRollback(run, askedBy(projection, cause), ports);
    if (found === "ready") return { cause, kind: "owed" };
    if (found.kind === "refused") return { cause, kind: "refused", message: found.message };
    return { cause, kind: found.kind === "nothing" ? "nothing" : "owed" };
  } catch (error) {
    return refuseFinal(error, cause);
  }
}

/** Asks for it where it is owed; the rollback, where there is one that has not ended. */
export async function askRollback(
  projection: RunProjection,
  ports: ClientPorts,
): Promise<KnownRollback | undefined> {
  const triggered = await triggerRollback(projection, ports);
  const rollback = triggered?.kind === "asked" ? triggered.rollback : undefined;
  return (rollback?.projection?.stopped ?? null) === null ? rollback : undefined;
}
