import { type RunProjection, SIGNALS_KEPT_BYTES_MAX, SIGNALS_KEPT_MAX } from "@turnseal/folds";
import { createValidator, type Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { HostError, SignalError } from "../host-error.ts";
import { isSpec } from "../inbox/draft-start.ts";
import { hasSignalRoom, listFeedback } from "../inbox/signal-room.ts";
import { readContent } from "../state/read-content.ts";
import { describeFirst } from "./describe-problems.ts";
import { findPinnedLoop, findSignalMisfit, sampleSignal, type TurnTaker } from "./fit-signal.ts";
import { sampleValue } from "./sample-value.ts";

interface Door {
  readonly stores: Pick<Stores, "blobs" | "inbox">;
  /** The loops of this process: what turns take, and which signals are for prompts. */
  readonly registry?: Registry;
}

interface ToldRun {
  readonly run: string;
  /** Undefined for a run without events. */
  readonly projection: RunProjection | undefined;
}

/**
 * Throws where the payload does not fit the turn that the signal would begin, or the waits that are
 * open for it. It also throws where nothing waits, and the run keeps no more signals of this name.
 */
export async function checkAwaited(
  told: ToldRun,
  { name, payload }: { readonly name: string; readonly payload: JsonValue },
  door: Door,
): Promise<void> {
  const { projection } = told;
  const taker = await readTurnTaker(told, name, door);
  if (taker !== undefined && !isReadInTurn(told.projection, { taker, name, door })) {
    const misfit = findSignalMisfit(taker, { name, payload });
    if (misfit !== undefined) throw new SignalError(name, misfit, sampleSignal(taker, name));
    return;
  }
  if (projection === undefined) return;
  const schemas = await readWaitSchemas(projection, name, door);
  if (schemas.length === 0) return checkRoom(projection, name, door.registry);
  let problems: readonly string[] = [];
  for (const schema of schemas) {
    problems = createValidator(schema)(payload);
    if (problems.length === 0) return;
  }
  throw new SignalError(name, describeFirst(problems), sampleFor(schemas));
}

/** Without a mapping, an open wait or a prompt of the turn may be what reads the payload. */
function isReadInTurn(
  projection: RunProjection | undefined,
  { taker, name, door }: { readonly taker: TurnTaker; readonly name: string; readonly door: Door },
): boolean {
  if (taker.spec.bounds.nextInput !== undefined || projection === undefined) return false;
  const { registry } = door;
  const isFeedback = registry === undefined || listFeedback(projection, registry).has(name);
  return isFeedback || (projection.openTurn?.waits ?? []).some((wait) => wait.name === name);
}

/** A payload of that name that fits, as an example; undefined if none is known, or any fits. */
export async function readSample(
  told: ToldRun,
  name: string,
  door: Door,
): Promise<JsonValue | undefined> {
  const taker = await readTurnTaker(told, name, door);
  if (taker !== undefined) return sampleSignal(taker, name);
  if (told.projection === undefined) return undefined;
  return sampleFor(await readWaitSchemas(told.projection, name, door));
}

/** How a signal of that name begins a turn; undefined if it begins none. */
async function readTurnTaker(
  told: ToldRun,
  name: string,
  { stores, registry }: Door,
): Promise<TurnTaker | undefined> {
  const begun = await readBeginning(told, stores);
  if (begun?.spec.bounds.awaits?.includes(name) !== true) return undefined;
  return { ...begun, loop: findPinnedLoop(begun.spec, registry) };
}

/** Reads what a run was started with: from its inbox until a writer has taken the start. */
async function readBeginning(
  { run, projection }: ToldRun,
  { inbox, blobs }: Door["stores"],
): Promise<Pick<TurnTaker, "spec" | "input"> | undefined> {
  const { spec = null, input = null } = projection ?? {};
  if (spec !== null)
    return { spec, input: (input && (await readContent({ blobs }, run, input))) ?? null };
  const [start] = await inbox.peek(run, "start");
  const { spec: written, input: given = null } = start?.body ?? {};
  return isSpec(written) ? { spec: written, input: given } : undefined;
}

/** Reads what the open waits for a signal accept. Waits of a fan-out often ask for the same. */
async function readWaitSchemas(
  { run, openTurn }: RunProjection,
  name: string,
  { stores }: Door,
): Promise<readonly JsonValue[]> {
  const waits = (openTurn?.waits ?? []).filter((wait) => wait.name === name);
  const requests = new Map(waits.map(({ request }) => [request.digest, request]));
  const schemas: JsonValue[] = [];
  for (const request of requests.values()) {
    const read = await readContent(stores, run, request);
    schemas.push(isPlainObject(read) ? ((read["schema"] ?? true) as JsonValue) : true);
  }
  return schemas;
}

function sampleFor([schema]: readonly JsonValue[]): JsonValue | undefined {
  if (schema === undefined || schema === true) return undefined;
  const sample = sampleValue(schema);
  return createValidator(schema)(sample).length === 0 ? sample : undefined;
}

function checkRoom(run: RunProjection, name: string, registry: Registry | undefined): void {
  if (hasSignalRoom(run, name, registry)) return;
  throw new HostError(
    "SIGNALS_FULL",
    `the run keeps at most ${SIGNALS_KEPT_MAX} signals of one name and about ` +
      `${SIGNALS_KEPT_BYTES_MAX} bytes of them until it waits for them, and has as many of ` +
      `${name}: send it again once turnseal show ${run.run} says that the run waits for it`,
    "retry",
  );
}
