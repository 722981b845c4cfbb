/** All open requests of a run, with everything that a decision needs. */

import {
  findQuarantined,
  heardOf,
  listUnknown,
  type Quarantined,
  type RunProjection,
  type UnknownClaim,
} from "@turnseal/folds";
import type { Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type Amounts,
  isPlainObject,
  type JsonValue,
  type Spending,
  type StopReason,
  textOf,
} from "@turnseal/protocol";
import { type AwaitedProvider, findAwaitedProvider, findGivenUp } from "@turnseal/views";
import { readSample } from "../../messages/check-awaited.ts";
import { listAnswered } from "../../messages/list-answered.ts";
import { listRequests, type WaitingRequest } from "../../messages/requests.ts";

export interface Waiting {
  readonly run: string;
  /** Why the run has stopped, if it has: then only unknown actions are left to resolve. */
  readonly stopped: StopReason | null;
  readonly requests: readonly WaitingRequest[];
  /** Actions that a person must resolve. */
  readonly unknown: readonly UnknownClaim[];
  /** Where workers were lost at it: a person says whether it goes on. */
  readonly quarantined?: Quarantined;
  /** Signals that begin the next turn, or continue this one: one is enough. */
  readonly signals: readonly string[];
  /** Names of signals with an earlier message that does not fit the wait. */
  readonly unfit: readonly string[];
  /** A payload that fits, by the name of the signal, where one is known. */
  readonly samples: Readonly<Record<string, JsonValue>>;
  /** The code of the failed turn, where the last message got no answer. */
  readonly failure?: string;
  /** The provider that gave no answer. */
  readonly provider?: AwaitedProvider;
  /** Answers that are in the inbox, but not in the log yet. */
  readonly kept: readonly KeptWord[];
  /** The hashes of the answered requests: they no longer wait. */
  readonly answered: ReadonlySet<string>;
  readonly spending: Spending;
  readonly budget: Amounts;
}

export interface KeptWord {
  /** The hash of the event that it is about. */
  readonly about: string;
  readonly by: string;
  readonly said: string;
}

/** Reads what a run waits for; by its loops, what a signal that it waits for has to be. */
export async function readWaiting(
  stores: Pick<Stores, "blobs" | "inbox">,
  projection: RunProjection,
  registry?: Registry,
): Promise<Waiting> {
  const { run, stopped, spending, spec } = projection;
  const rows = await stores.inbox.peek(run);
  const provider = findAwaitedProvider(projection);
  const failure = findGivenUp(projection);
  const quarantined = findQuarantined(projection);
  return {
    run,
    stopped,
    requests: await listRequests(projection, stores),
    unknown: listUnknown(projection),
    signals: listAwaited(projection),
    samples: await readSamples(projection, { stores, ...(registry && { registry }) }),
    unfit: listUnfit(projection),
    ...(failure === undefined ? {} : { failure }),
    ...(provider === undefined ? {} : { provider }),
    ...(quarantined === undefined || stopped !== null ? {} : { quarantined }),
    kept: rows.flatMap(({ kind, body }) => {
      const { approval, question, claimHash, choice, resolution, by } = body;
      const about = approval ?? question ?? claimHash;
      if (typeof about !== "string") return [];
      const who = isPlainObject(by) ? textOf(by["id"]) : "somebody";
      return [{ about, by: who, said: textOf(choice ?? resolution ?? kind) }];
    }),
    answered: listAnswered(projection, rows),
    spending,
    budget: spec?.grant.budget ?? {},
  };
}

async function readSamples(
  projection: RunProjection,
  door: Parameters<typeof readSample>[2],
): Promise<Waiting["samples"]> {
  const samples: [string, JsonValue][] = [];
  for (const name of listAwaited(projection)) {
    const sample = await readSample({ run: projection.run, projection }, name, door);
    if (sample !== undefined) samples.push([name, sample]);
  }
  return Object.fromEntries(samples);
}

/** The signals that a run waits for: between two turns, or in a flow of the open one. */
export function listAwaited(run: RunProjection): readonly string[] {
  const { spec, awaited, openTurn, stopped } = run;
  if (stopped !== null) return [];
  if (openTurn !== null) return [...new Set((openTurn.waits ?? []).map(({ name }) => name))];
  const isWaiting = awaited?.isWaiting === true && awaited.count === 0;
  return isWaiting ? (spec?.bounds.awaits ?? []) : [];
}

/** Signals of names that a flow waits for, which came earlier and which no wait has taken. */
function listUnfit(run: RunProjection): readonly string[] {
  if (run.openTurn === null) return [];
  return listAwaited(run).filter((name) => heardOf(run, name) !== undefined);
}
