/** Everything of a run that waits for somebody, with what is needed to decide it. */
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
import { readSample } from "../../messages/check-awaited.ts";
import { listAnswered } from "../../messages/list-answered.ts";
import { listRequests, type WaitingRequest } from "../../messages/requests.ts";
import { findQuarantined, type Quarantined } from "../../projection/find-quarantined.ts";
import { heardOf } from "../../projection/open-waits.ts";
import type { RunProjection, UnknownClaim } from "../../projection/run-projection.ts";
import { listUnknown } from "../../projection/unknown-ends.ts";
import { type AwaitedProvider, findAwaitedProvider } from "./describe-cause.ts";

export interface Waiting {
  readonly run: string;
  /** Why the run has stopped, where it has: then only what is unknown is left to be said. */
  readonly stopped: StopReason | null;
  readonly requests: readonly WaitingRequest[];
  /** Actions of which somebody must say what became of them. */
  readonly unknown: readonly UnknownClaim[];
  /** Where workers were lost at it: a person says whether it goes on. */
  readonly quarantined?: Quarantined;
  /** Signals, one of which begins the next turn, or goes on with this one. */
  readonly signals: readonly string[];
  /** Those of them of which one came before, and does not fit what is waited for. */
  readonly unfit: readonly string[];
  /** A payload that fits, by the name of the signal, where one is known. */
  readonly samples: Readonly<Record<string, JsonValue>>;
  /** The provider that gave no answer. */
  readonly provider?: AwaitedProvider;
  /** What was said already, and nobody has read into the log yet. */
  readonly kept: readonly KeptWord[];
  /** The hashes of what that answers: nobody else is waited for. */
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
  const quarantined = findQuarantined(projection);
  return {
    run,
    stopped,
    requests: await listRequests(projection, stores),
    unknown: listUnknown(projection),
    signals: listAwaited(projection),
    samples: await readSamples(projection, { stores, ...(registry && { registry }) }),
    unfit: listUnfit(projection),
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
