/**
 * What a run owes to others: the start of those that it hands to, a cancel that flows down, and its
 * result to the one that started it.
 *
 * All of it follows from the log, so that it can be delivered again whenever a delivery may have
 * been lost: a row that is there already is known, and nothing happens twice.
 */
import { createContent, pinReferences, type Registry } from "@turnseal/kernel";
import type { InboxMessage, Stores } from "@turnseal/ports";
import { committed, type JsonObject, type JsonValue, type RunSpec } from "@turnseal/protocol";
import type { OpenClaim, OpenHandoff, RunProjection } from "./projection/run-projection.ts";

export interface DeliveryPorts {
  readonly stores: Stores;
  readonly registry: Registry;
}

/** The runs that were handed to and have not ended. */
export function listHandoffs({ openTurn }: RunProjection): OpenHandoff[] {
  return (openTurn?.open ?? []).flatMap(({ handoff }) => (handoff === null ? [] : [handoff]));
}

/** Puts everything that the run owes into the inboxes of others. */
export async function deliver(run: RunProjection, ports: DeliveryPorts): Promise<void> {
  const { inbox } = ports.stores;
  for (const claim of run.openTurn?.open ?? []) {
    if (claim.handoff === null) continue;
    const start = await startMessage(run, claim, { ...ports, handoff: claim.handoff });
    if (start !== undefined) await inbox.put(start);
    if (run.isCancelled) {
      const body = { by: { id: run.run, roles: [] } };
      await inbox.put({ run: claim.handoff.child, key: "cancel:parent", kind: "cancel", body });
    }
  }
  const result = await resultMessage(run, ports.stores);
  if (result !== undefined) await inbox.put(result);
}

interface StartPorts extends DeliveryPorts {
  readonly handoff: OpenHandoff;
}

/** The start of another run; undefined when its loop is not here, and another host must do it. */
async function startMessage(
  parent: RunProjection,
  { claim, hash }: OpenClaim,
  { registry, stores, handoff }: StartPorts,
): Promise<InboxMessage | undefined> {
  const { child, loop, version, grant, bounds, input } = handoff;
  const checked = registry.resolve(loop, version ?? undefined);
  if (checked === undefined || parent.spec === null) return undefined;
  const { policy } = parent.spec;
  const spec: RunSpec = {
    loop,
    version: checked.definition.version,
    pinned: pinReferences(registry, checked),
    grant,
    ...(policy === undefined ? {} : { policy }),
    bounds,
    parent: { run: parent.run, turn: parent.openTurn?.turn ?? 0, sequence: claim, hash },
  };
  const read = await contentReader(parent.run, stores);
  const rules = parent.policy === null ? undefined : await read(parent.policy);
  const body = {
    spec: spec as unknown as JsonObject,
    input: await read(input),
    ...(rules === undefined ? {} : { policy: rules }),
  };
  return { run: child, key: "start", kind: "start", body };
}

/** What a run that has stopped tells the one that started it. */
async function resultMessage(
  { run, spec, stopped, spending, lastTurn, turns }: RunProjection,
  stores: Stores,
): Promise<InboxMessage | undefined> {
  const parent = spec?.parent;
  if (parent === undefined || stopped === null) return undefined;
  const receipt = await stores.receipts.read(run, turns);
  const isReached = stopped === "goal-reached";
  const read = await contentReader(run, stores);
  const output = isReached && lastTurn?.output != null ? await read(lastTurn.output) : undefined;
  const body = {
    child: run,
    claim: parent.sequence,
    claimHash: parent.hash,
    stopped,
    spent: committed(spending),
    ...(receipt === undefined ? {} : { receipt: receipt.id }),
    ...(output === undefined ? {} : { output }),
  };
  return { run: parent.run, key: `result:${run}`, kind: "result", body };
}

async function contentReader(
  run: string,
  { blobs }: Stores,
): Promise<
  (reference: Parameters<ReturnType<typeof createContent>["read"]>[0]) => Promise<JsonValue>
> {
  // The key of a run that has events is there, or was erased: this one is never kept.
  const key = (await blobs.keepKey(run, new Uint8Array(32))) ?? new Uint8Array(32);
  const content = createContent(run, key, blobs);
  return (reference) => content.read(reference);
}
