/** Everything of a run that waits for somebody, with what is needed to decide it. */
import type { Stores } from "@turnseal/ports";
import { type Amounts, isPlainObject, type Spending } from "@turnseal/protocol";
import { listAnswered } from "../../messages/list-answered.ts";
import { listRequests, type WaitingRequest } from "../../messages/requests.ts";
import type { OpenClaim, RunProjection } from "../../projection/run-projection.ts";
import { type AwaitedProvider, findAwaitedProvider } from "./describe-cause.ts";

export interface Waiting {
  readonly run: string;
  readonly requests: readonly WaitingRequest[];
  /** Actions of which somebody must say what became of them. */
  readonly unknown: readonly OpenClaim[];
  /** Signals, one of which begins the next turn. */
  readonly signals: readonly string[];
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

/** Reads what a run waits for. */
export async function readWaiting(
  stores: Pick<Stores, "blobs" | "inbox">,
  projection: RunProjection,
): Promise<Waiting> {
  const { run, spending, spec } = projection;
  const rows = await stores.inbox.peek(run);
  const provider = findAwaitedProvider(projection);
  return {
    run,
    requests: await listRequests(projection, stores),
    unknown: listUnknown(projection),
    signals: listAwaited(projection),
    ...(provider === undefined ? {} : { provider }),
    kept: rows.flatMap(({ kind, body }) => {
      const { approval, question, claimHash, choice, resolution, by } = body;
      const about = approval ?? question ?? claimHash;
      if (typeof about !== "string") return [];
      const who = isPlainObject(by) ? String(by["id"]) : "somebody";
      return [{ about, by: who, said: String(choice ?? resolution ?? kind) }];
    }),
    answered: listAnswered(projection, rows),
    spending,
    budget: spec?.grant.budget ?? {},
  };
}

/** The signals that a run waits for between two turns. */
export function listAwaited({ spec, awaited, openTurn }: RunProjection): readonly string[] {
  const isWaiting = openTurn === null && awaited?.isWaiting === true && awaited.count === 0;
  return isWaiting ? (spec?.bounds.awaits ?? []) : [];
}

/** The actions that wait for a person's answer. */
export function listUnknown({ openTurn }: RunProjection): OpenClaim[] {
  return (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
}
