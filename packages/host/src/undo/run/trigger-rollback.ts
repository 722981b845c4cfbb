/**
 * The rollback that a run asks for by itself: where it stops for a cause that it names (spec/
 * rollback.md §6).
 *
 * 1. It is only proposed, and undoes nothing: people decide as if one of them had asked.
 * 2. The log says that a rollback is due. The rollback itself shows that it was started, since its
 *    id follows from the run. So there is one, even after many looks and crashes.
 * 3. A reason that prevents it is reported, and checked again at each look at the run. The checks
 *    on the state of the run come first, so that a look is cheap.
 * 4. There is one, so a worker that lacks a compensation leaves the rollback to another worker.
 */

import { listUnknown, type RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import type { RollbackCause } from "@turnseal/protocol/authoring";
import type { ClientPorts } from "../../host-ports.ts";
import { startMessage } from "../../messages/start-message.ts";
import { rollbackRun } from "../../run-ids.ts";
import { isFinalError } from "../../state/final-error.ts";
import { readEvents } from "../../state/load-projection.ts";
import { readTurnRange } from "../find/read-effects.ts";
import { type KnownRollback, listRollbacks } from "../find/rollback-chain.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";
import type { MissingCompensation } from "../plan/list-rollback.ts";
import {
  type AskedRollback,
  prepareRollback,
  refuseExpiredGrant,
} from "../plan/prepare-rollback.ts";
import { startRollback } from "./propose-rollback.ts";

/** The state of the rollback that a run starts by itself. */
export type TriggeredRollback = { readonly cause: RollbackCause } & (
  | { readonly kind: "asked"; readonly rollback: KnownRollback }
  | UnaskedRollback
);

type UnaskedRollback =
  /** It did nothing that could be undone. */
  | { readonly kind: "nothing" }
  /** It starts as soon as a worker with the missing parts drives the run. */
  | { readonly kind: "owed"; readonly lacks?: readonly MissingCompensation[] }
  | { readonly kind: "refused"; readonly message: string };

/** The first cause that a run names and has stopped for; undefined if there is none. */
export async function findRollbackCause(
  { run, turns, stopped, spec }: RunProjection,
  stores: Pick<Stores, "log" | "receipts">,
): Promise<RollbackCause | undefined> {
  const { rollbackOn = [] } = spec?.bounds ?? {};
  if (stopped === null || stopped === "goal-reached" || rollbackOn.length === 0) return undefined;
  // The effects of a child run belong to the run above, which is rolled back as a whole.
  if (spec?.parent !== undefined) return undefined;
  const named = rollbackOn.find((cause) => cause === stopped);
  if (named !== undefined || !rollbackOn.includes("group")) return named;
  return (await hasBrokenGroup(run, turns, stores)) ? "group" : undefined;
}

/** True if a group of the turn did not end as `all` when it was tried last. */
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

/** Asks for the rollback that a run which has stopped owes; undefined if there is none. */
async function triggerRollback(
  projection: RunProjection,
  ports: ClientPorts,
): Promise<KnownRollback | undefined> {
  const { run } = projection;
  const { stores } = ports;
  const cause = await findRollbackCause(projection, stores);
  if (cause === undefined) return undefined;
  // Also where a person was faster.
  const [rollback] = await listRollbacks(run, stores);
  if (rollback !== undefined || isHindered(projection, ports.clock.now())) return rollback;
  try {
    const prepared = await prepareRollback(run, askedBy(projection, cause), ports);
    if (prepared.kind === "prepared" && prepared.lacks.length === 0)
      await startRollback(await prepared.complete(), { ...ports, put: stores.inbox.put });
  } catch (error) {
    // A rollback that cannot start must not block the run.
    if (!isFinalError(error)) throw error;
  }
  return (await listRollbacks(run, stores))[0];
}

/** True if it would be refused, by the state alone. */
function isHindered(projection: RunProjection, nowMs: number): boolean {
  return refuseExpiredGrant(projection, nowMs) !== undefined || listUnknown(projection).length > 0;
}

function askedBy({ startedBy }: RunProjection, cause: RollbackCause): AskedRollback {
  return {
    // The starter of the run counts as the starter of the rollback: the same people must not
    // approve it.
    ...(startedBy?.kind === "person" ? { by: startedBy.id } : {}),
    source: `rollbackOn:${cause}`,
  };
}

/** The state of the rollback, for readers. */
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
    return { cause, ...(await checkOwed(projection, cause, ports)) };
  } catch (error) {
    if (!isFinalError(error)) throw error;
    return { cause, kind: "refused", message: error.message };
  }
}

/** Checks whether it would be refused, as the start does. */
async function checkOwed(
  projection: RunProjection,
  cause: RollbackCause,
  ports: RollbackPorts,
): Promise<UnaskedRollback> {
  const { run } = projection;
  const prepared = await prepareRollback(run, askedBy(projection, cause), ports);
  if (prepared.kind === "refused") return { kind: "refused", message: prepared.message };
  if (prepared.kind === "known") return { kind: "owed" };
  const { lacks } = prepared;
  const late = lacks.length === 0 ? undefined : refuseExpiredGrant(projection, ports.clock.now());
  if (late !== undefined) return { kind: "refused", message: late.message };
  if (lacks.length > 0) return { kind: "owed", lacks };
  if (prepared.kind === "nothing") return { kind: "nothing" };
  const { list, loop, plan, start } = await prepared.complete();
  // A trial of the start message, which is not sent: an invalid one is refused here.
  startMessage(ports.registry, loop, { run: rollbackRun(run, list.ordinal), input: plan, start });
  return { kind: "owed" };
}

/** Starts it if it is due; returns the open rollback, if there is one. */
export async function askRollback(
  projection: RunProjection,
  ports: ClientPorts,
): Promise<KnownRollback | undefined> {
  const rollback = await triggerRollback(projection, ports);
  return (rollback?.projection?.stopped ?? null) === null ? rollback : undefined;
}
