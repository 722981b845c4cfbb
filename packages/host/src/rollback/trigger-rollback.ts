/**
 * The rollback that a run asks for by itself: where it stops for a cause that it names (spec/
 * rollback.md §6).
 *
 * 1. It is asked for, and nothing is taken back: people decide as if one of them had asked.
 * 2. That it is owed follows from the log, and that it was asked for from the rollback, whose id
 *    follows from the run: however often somebody looks, and whoever died in between, it is one.
 * 3. What keeps it from being asked for is said, and looked at again when the run is: what the
 *    state of the run says first, so that a look costs little.
 * 4. There is one, and so a worker that cannot take back all that another might leaves it to that.
 */
import type { Stores } from "@turnseal/ports";
import type { RollbackCause } from "@turnseal/protocol/authoring";
import { isFinalError } from "../final-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { startMessage } from "../messages/start-message.ts";
import { readEvents } from "../projection/load-projection.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { listUnknown } from "../projection/unknown-ends.ts";
import { rollbackRun } from "../run-ids.ts";
import type { LackedUndo } from "./list-rollback.ts";
import { type AskedRollback, prepareRollback, refuseExpired } from "./prepare-rollback.ts";
import { startRollback } from "./propose-rollback.ts";
import { readTurnRange } from "./read-deeds.ts";
import { type KnownRollback, listRollbacks } from "./rollback-chain.ts";
import type { RollbackPorts } from "./rollback-ports.ts";

/** What has become of the rollback that a run asks for by itself. */
export type TriggeredRollback = { readonly cause: RollbackCause } & (
  | { readonly kind: "asked"; readonly rollback: KnownRollback }
  | UnaskedRollback
);

type UnaskedRollback =
  /** It did nothing that could be taken back. */
  | { readonly kind: "nothing" }
  /** It is to be asked for as soon as somebody carries the run who has what is lacking here. */
  | { readonly kind: "owed"; readonly lacks?: readonly LackedUndo[] }
  | { readonly kind: "refused"; readonly message: string };

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

/** Asks for the rollback that a run which has stopped owes; undefined where there is none. */
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
    // What cannot be asked for keeps nobody from the run.
    if (!isFinalError(error)) throw error;
  }
  return (await listRollbacks(run, stores))[0];
}

/** True where it would be refused, whatever else the log says. */
function isHindered(projection: RunProjection, nowMs: number): boolean {
  return refuseExpired(projection, nowMs) !== undefined || listUnknown(projection).length > 0;
}

function askedBy({ startedBy }: RunProjection, cause: RollbackCause): AskedRollback {
  return {
    // Whoever must not approve what they have started must not approve this, either.
    ...(startedBy?.kind === "person" ? { by: startedBy.id } : {}),
    source: `rollbackOn:${cause}`,
  };
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
    return { cause, ...(await checkOwed(projection, cause, ports)) };
  } catch (error) {
    if (!isFinalError(error)) throw error;
    return { cause, kind: "refused", message: error.message };
  }
}

/** Finds out whether it would be refused, as far as whoever asks finds out. */
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
  const late = lacks.length === 0 ? undefined : refuseExpired(projection, ports.clock.now());
  if (late !== undefined) return { kind: "refused", message: late.message };
  if (lacks.length > 0) return { kind: "owed", lacks };
  if (prepared.kind === "nothing") return { kind: "nothing" };
  const { list, loop, plan, start } = await prepared.complete();
  // It is made, and told nobody: what cannot be started is refused here.
  startMessage(ports.registry, loop, { run: rollbackRun(run, list.ordinal), input: plan, start });
  return { kind: "owed" };
}

/** Asks for it where it is owed; the rollback, where there is one that has not ended. */
export async function askRollback(
  projection: RunProjection,
  ports: ClientPorts,
): Promise<KnownRollback | undefined> {
  const rollback = await triggerRollback(projection, ports);
  return (rollback?.projection?.stopped ?? null) === null ? rollback : undefined;
}
