/** The way in: takes the name of a loop and an input, and answers with a result and its trace. */
import {
  type Clock,
  type EventSink,
  type Ids,
  memoryRateLimits,
  memorySecrets,
  type RateLimits,
  type Secrets,
} from "@turnseal/ports";
import { invariant, type JsonValue, type LoopResult } from "@turnseal/protocol";
import { toTrace } from "@turnseal/protocol/trace";
import { bindModels, type ModelBindings } from "../actions/bind-models.ts";
import { bindTools } from "../actions/bind-tools.ts";
import { directJournal } from "../journal/direct-journal.ts";
import { type Failed, fail, type Outcome } from "../outcome.ts";
import type { Registry } from "../registry/registry.ts";
import { createRecorder, type Recorder } from "../resume/recorder.ts";
import type { BoundTools, World } from "../world.ts";
import { runCall } from "./run-call.ts";

export interface ExecutorOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Models by backend id. `scripted` answers for loops that name none. */
  readonly models?: ModelBindings;
  /** The functions of tools. Without them there is the built-in one. */
  readonly tools?: BoundTools;
  /** Where the secrets of tools come from. Without it there are none. */
  readonly secrets?: Secrets;
  /** The rate limiter for prompts with a limit; without it, this executor counts alone. */
  readonly rateLimits?: RateLimits;
}

export interface CallOptions {
  readonly version?: string;
  readonly signal?: AbortSignal;
  readonly sink?: EventSink;
}

export interface Executor {
  /** Calls a loop. A call that fails is a result too; nothing is thrown for it. */
  call(loopId: string, input: unknown, options?: CallOptions): Promise<LoopResult>;
}

/** Binds a registry to the world. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { registry, clock, ids, secrets = memorySecrets() } = options;
  const { rateLimits = memoryRateLimits(clock) } = options;
  const models = bindModels(options.models);
  const { tools = bindTools({}) } = options;
  let rootCalls = 0;
  return {
    call: async (loopId, input, { version, signal, sink } = {}) => {
      const path = `calls/${rootCalls++}`;
      const call = ids.create(path);
      const recorder = createRecorder({ clock, sink, signal });
      const loop = registry.resolve(loopId, version);
      if (loop === undefined) {
        const outcome = refuseUnknown(loopId, version, call, recorder);
        return toResult({ call, loopId, version }, outcome, recorder);
      }
      const journal = directJournal({ clock, signal, rateLimits });
      const world: World = {
        kind: "call",
        identity: { ids, loops: registry.pin(loop) },
        effects: { models, prices: undefined, tools, secrets, journal },
      };
      const outcome = await runCall({ loop, input, call, path }, world, recorder);
      return toResult({ call, loopId, version: loop.definition.version }, outcome, recorder);
    },
  };
}

function refuseUnknown(
  loopId: string,
  version: string | undefined,
  call: string,
  recorder: Recorder,
): Failed {
  const wanted = version === undefined ? loopId : `${loopId} ${version}`;
  const outcome = fail("LOOP_NOT_FOUND", `${wanted} is not registered`);
  recorder.record(() => ({
    type: "call.started",
    call,
    content: { loop: loopId, version: version ?? "" },
  }));
  if (outcome.kind === "error")
    recorder.record(() => ({ type: "call.errored", call, content: outcome.error }));
  return outcome;
}

interface CalledLoop {
  readonly call: string;
  readonly loopId: string;
  readonly version: string | undefined;
}

function toResult(
  { call, loopId, version }: CalledLoop,
  outcome: Outcome<JsonValue>,
  recorder: Recorder,
): LoopResult {
  const events = recorder.listEvents();
  const startedAt = events[0]?.at ?? "";
  const endedAt = events.at(-1)?.at ?? startedAt;
  const frame = {
    callId: call,
    loopId,
    ...(version === undefined ? {} : { loopVersion: version }),
    startedAt,
    endedAt,
    // Most calls end in the millisecond in which they began, and reading a time is slow.
    durationMs: startedAt === endedAt ? 0 : Date.parse(endedAt) - Date.parse(startedAt),
    trace: toTrace(events),
  };
  invariant(outcome.kind !== "paused", "a call outside a run does not pause");
  if (outcome.kind === "ok") return { ...frame, status: "ok", output: outcome.value };
  const reason = outcome.reason === undefined ? {} : { reason: outcome.reason };
  return { ...frame, status: "error", error: { ...outcome.error, ...reason } };
}
