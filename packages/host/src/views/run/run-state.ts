/** How a run stands and whose word it waits for, as clients are told. */
import type { Stores } from "@turnseal/ports";
import type { JsonObject, JsonValue, StopReason } from "@turnseal/protocol";
import { formatGenerationId } from "@turnseal/protocol/events";
import { dues } from "../../decide/dues.ts";
import type { PersonRequest, WaitingRequest } from "../../messages/requests.ts";
import type { UnknownRequest } from "../../messages/unknown-requests.ts";
import type { RunProjection } from "../../projection/run-projection.ts";
import { listUnknown } from "../../projection/unknown-ends.ts";
import { findBlocked, type NamedBlock } from "./describe-blocked.ts";
import { type AwaitedProvider, findAwaitedProvider } from "./describe-cause.ts";
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
  /** Why it does not go on, where the worker that looked last lacked something. */
  readonly blocked?: NamedBlock;
  /** Of a run that has stopped: why its model gave no answer, where its last turn failed of it. */
  readonly cause?: FailureCause;
  /** Of one that has not reached its goal: what the parts of its flow came to, without outputs. */
  readonly parts?: readonly Omit<FlowPart, "output">[];
}

/** An approval or a question that waits for somebody. */
export interface OpenWord {
  readonly kind: "approval" | "question";
  readonly id: string;
  /** The tool that would act; for a question, whom it is for. */
  readonly name: string;
  readonly generationId: string;
  /** The action, as events and pieces name it. */
  readonly message: string;
  /** The arguments, or what is asked; null once it was erased. */
  readonly request: JsonValue;
  readonly role: string | null;
  readonly approvers: number;
  readonly approvedBy: readonly string[];
  readonly askedAt: string;
  readonly decideBy: string | null;
  /** The loop whose input, or for a question whose output, is checked against. */
  readonly loop: string;
  readonly version: string;
  /** What the tool itself wants a person to be asked, where it says so. */
  readonly description?: string;
  /** What the request says besides: the rule that asked, the cost, the declared effect. */
  readonly facts: JsonObject;
}

/** An action of which nobody knows whether it happened. */
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

/** What tells of a run: a client of runs, or whatever stands for one. */
export interface StateSource {
  readonly stores: Pick<Stores, "log" | "blobs">;
  show(run: string): Promise<RunProjection | undefined>;
  requests(run: string): Promise<readonly PersonRequest[]>;
}

export async function readRunState(source: StateSource, run: string): Promise<RunState> {
  const projection = await source.show(run);
  // Somebody has started it, and nobody has driven it yet, or has only just taken its log.
  if (projection === undefined || projection.sequence === 0)
    return { status: "running", sequence: 0, turn: null, turns: 0, requests: [] };
  const { stopped, sequence, openTurn, turns } = projection;
  const place = { sequence, turn: openTurn?.turn ?? null, turns };
  if (stopped !== null) {
    const cause = await findCause(source.stores.log, projection);
    const why = cause === undefined ? {} : { cause };
    const left = await listOpenWords(source, projection);
    const told = stopped === "goal-reached" ? [] : await readParts(source.stores, projection);
    const parts = told.slice(0, STATE_PARTS_MAX).map(({ output: _, ...part }) => part);
    const ends = parts.length === 0 ? {} : { parts };
    return { status: "done", stopped, ...place, requests: left, ...why, ...ends };
  }
  const status = dues(projection).kind === "wait" ? "waiting" : "running";
  const provider = findAwaitedProvider(projection);
  const blocked = findBlocked(projection);
  return {
    ...{ status, ...place },
    requests: await listOpenWords(source, projection),
    ...(provider === undefined ? {} : { provider }),
    ...(blocked === undefined ? {} : { blocked }),
  };
}

async function listOpenWords(
  source: StateSource,
  projection: RunProjection,
): Promise<RunState["requests"]> {
  const asked = projection.openTurn?.asked ?? [];
  if (asked.length + listUnknown(projection).length === 0) return [];
  const requests = await source.requests(projection.run);
  return requests
    .slice(0, STATE_REQUESTS_MAX)
    .map((request) => (request.kind === "unknown" ? toUnknownWord(request) : toOpenWord(request)));
}

/** An unknown action, as clients are told. */
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

/** What waits, as clients are told. */
export function toOpenWord(request: WaitingRequest): OpenWord {
  const { kind, id, name, run, turn, key, role, approvers, approvedBy } = request;
  const { askedAt, decideBy, loop, version, facts, description } = request;
  return {
    ...{ kind, id, name, role, approvers, approvedBy, askedAt, decideBy, loop, version, facts },
    ...(description === undefined ? {} : { description }),
    generationId: formatGenerationId(run, turn),
    message: key,
    request: request.request ?? null,
  };
}
