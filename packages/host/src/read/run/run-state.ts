/** The state of a run and its open requests, for clients. */

import type { RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import type { JsonObject, JsonValue, StandingTerms, StopReason } from "@turnseal/protocol";
import { formatGenerationId } from "@turnseal/protocol/events";
import {
  type AwaitedProvider,
  findAwaitedProvider,
  findBlocked,
  findGivenUp,
  type NamedBlock,
} from "@turnseal/views";
import { dues } from "../../decide/dues.ts";
import { listPersonRequests, type WaitingRequest } from "../../messages/requests.ts";
import type { UnknownRequest } from "../../messages/unknown-requests.ts";
import { type FailureCause, findCause } from "./find-cause.ts";
import { type FlowPart, readParts } from "./read-parts.ts";

export interface RunState {
  readonly status: "running" | "waiting" | "done";
  readonly stopped?: StopReason;
  /** The event of the log up to which this holds. */
  readonly sequence: number;
  /** The turn that is open; null between two turns. */
  readonly turn: number | null;
  /** Turns that were closed. */
  readonly turns: number;
  readonly requests: readonly (OpenWord | UnknownWord)[];
  /** The provider that gave no answer, and is waited for. */
  readonly provider?: AwaitedProvider;
  /** The code of the failed turn, where the last message got no answer. */
  readonly failure?: string;
  /** Why it does not go on, where the worker that looked last lacked something. */
  readonly blocked?: NamedBlock;
  /** Of a run that has stopped: why its model gave no answer, where its last turn failed of it. */
  readonly cause?: FailureCause;
  /** If it has not reached its goal: the results of the parts of its flow, without outputs. */
  readonly parts?: readonly Omit<FlowPart, "output">[];
}

/** An open approval or question. */
export interface OpenWord {
  readonly kind: "approval" | "question";
  readonly id: string;
  /** The tool that would act; for a question, who gets it. */
  readonly name: string;
  readonly generationId: string;
  /** The action, as events and pieces name it. */
  readonly message: string;
  /** The arguments, or the question; null once erased. */
  readonly request: JsonValue;
  readonly role: string | null;
  readonly approvers: number;
  readonly approvedBy: readonly string[];
  readonly askedAt: string;
  readonly decideBy: string | null;
  /** The loop whose input, or for a question whose output, is checked against. */
  readonly loop: string;
  readonly version: string;
  /** The tool's own question for a person, if it has one. */
  readonly description?: string;
  /** Further facts of the request: the rule that asked, the cost, the declared effect. */
  readonly facts: JsonObject;
  /** How far a person may let the approval stand. Absent where none may stand. */
  readonly mayStand?: StandingTerms;
}

/** An unknown action. */
export interface UnknownWord
  extends Pick<
    UnknownRequest,
    "kind" | "id" | "name" | "role" | "effect" | "deadlineAt" | "answers" | "reason"
  > {
  readonly generationId: string;
  /** The action, as events and pieces name it. */
  readonly message: string;
  /** The arguments; null once they were erased. */
  readonly request: JsonValue;
}

/** Requests that one state names; people decide, and then see the others. */
export const STATE_REQUESTS_MAX = 100;

/** Parts of a flow that one state names. */
export const STATE_PARTS_MAX = 100;

/** A client of runs, or a substitute. */
export interface StateSource {
  readonly stores: Pick<Stores, "log" | "blobs">;
  show(run: string): Promise<RunProjection | undefined>;
}

export async function readRunState(source: StateSource, run: string): Promise<RunState> {
  const projection = await source.show(run);
  // It was started, and is not driven yet, or its log was only just taken.
  if (projection === undefined || projection.sequence === 0)
    return { status: "running", sequence: 0, turn: null, turns: 0, requests: [] };
  const { stopped, sequence, openTurn, turns } = projection;
  const place = { sequence, turn: openTurn?.turn ?? null, turns };
  if (stopped !== null) {
    const cause = await findCause(source.stores.log, projection);
    const why = cause === undefined ? {} : { cause };
    const left = await listOpenWords(projection, source.stores);
    const named = { most: STATE_PARTS_MAX, withOutputs: false };
    const parts =
      stopped === "goal-reached" ? [] : await readParts(source.stores, projection, named);
    const ends = parts.length === 0 ? {} : { parts };
    return { status: "done", stopped, ...place, requests: left, ...why, ...ends };
  }
  const status = dues(projection).kind === "wait" ? "waiting" : "running";
  const provider = findAwaitedProvider(projection);
  const failure = findGivenUp(projection);
  const blocked = findBlocked(projection);
  return {
    ...{ status, ...place },
    requests: await listOpenWords(projection, source.stores),
    ...(provider === undefined ? {} : { provider }),
    ...(failure === undefined ? {} : { failure }),
    ...(blocked === undefined ? {} : { blocked }),
  };
}

async function listOpenWords(
  projection: RunProjection,
  stores: StateSource["stores"],
): Promise<RunState["requests"]> {
  const requests = await listPersonRequests(projection, stores, { most: STATE_REQUESTS_MAX });
  return requests.map((request) =>
    request.kind === "unknown" ? toUnknownWord(request) : toOpenWord(request),
  );
}

/** Renders an unknown action for clients. */
export function toUnknownWord(request: UnknownRequest): UnknownWord {
  const { kind, id, name, run, turn, key, role, effect, deadlineAt, answers, reason } = request;
  return {
    ...{ kind, id, name, role, effect, deadlineAt, answers },
    ...(reason === undefined ? {} : { reason }),
    generationId: formatGenerationId(run, turn),
    message: key,
    request: request.request ?? null,
  };
}

/** Renders an open request for clients. */
export function toOpenWord(request: WaitingRequest): OpenWord {
  const { kind, id, name, run, turn, key, role, approvers, approvedBy } = request;
  const { askedAt, decideBy, loop, version, facts, description, mayStand } = request;
  return {
    ...{ kind, id, name, role, approvers, approvedBy, askedAt, decideBy, loop, version, facts },
    ...(description === undefined ? {} : { description }),
    ...(mayStand === undefined ? {} : { mayStand }),
    generationId: formatGenerationId(run, turn),
    message: key,
    request: request.request ?? null,
  };
}
