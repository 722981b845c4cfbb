/**
 * A run as a virtual object of Restate, under the key of its tenant and its id.
 *
 * 1. `advance` is the only exclusive handler, and no outside caller can call it. Every message
 *    means: look at the log. A duplicate, a late or a reordered one finds nothing to do.
 * 2. It is one journaled step, and then exactly what the log owes: a message to itself, at most one
 *    later, messages to other runs.
 * 3. `deliver` puts a row into the inbox and sends `advance`; every message to a run goes through
 *    it. No handler ever waits for a person.
 * 4. A message that finds no slot ends, and the run queues in a lane of its tenant, once. The lane
 *    has it advance when its turn has come.
 * 5. A message of a tenant that may not act now, or is not served here, comes again later.
 * 6. A run that this worker cannot drive, and another release can, is handed on within the message:
 *    the key is held until that release has taken the step.
 */
import {
  handlers,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  type Serde,
  serde,
  TerminalError,
} from "@restatedev/restate-sdk";
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { hasFields, type Is, isOneOf, isText } from "@turnseal/protocol/shape";
import type { Look } from "../decide/look.ts";
import { findOtherRelease, handToRelease } from "./hand-to-release.ts";
import { type Kept, keepMessage } from "./keep-message.ts";
import { formatLaneKey, LANE_OBJECT } from "./lane-key.ts";
import { isLooks } from "./looks.ts";
import { createPuts } from "./puts.ts";
import { formatRunKey, parseRunKey } from "./run-key.ts";
import {
  type AskedStep,
  ENGINE_OPTIONS,
  findRun,
  noSuchRun,
  type RunObjectOptions,
  readKey,
  stepFor,
} from "./run-options.ts";
import { isQueued, type Owed, type Queued } from "./step-run.ts";
import { engineTiming } from "./timing.ts";

/** The name of the object that every run is one of. */
export const RUN_OBJECT = "Run";

/** A message to a run, without the run. */
export type Delivery = Pick<InboxMessage, "key" | "kind"> & { readonly body: JsonObject };

/** The object, to be bound to an endpoint of the engine. */
export function createRunObject(options: RunObjectOptions) {
  const { inactivityTimeout, abortTimeout } = engineTiming(options);
  const puts = createPuts();
  return object({
    name: RUN_OBJECT,
    handlers: {
      advance: handlers.object.exclusive(
        {
          input: serde.empty,
          ingressPrivate: true,
          inactivityTimeout,
          abortTimeout,
          idempotencyRetention: DEDUPE_MS,
        },
        async (ctx: ObjectContext): Promise<void> => {
          const queued = await advanceRun(ctx, options, "engine");
          if (queued !== undefined) await queueInLane(ctx, queued);
        },
      ),
      /** Answers true when there was no slot: its lane asks again. */
      advanceFromLane: handlers.object.exclusive(
        { ingressPrivate: true, inactivityTimeout, abortTimeout },
        (ctx: ObjectContext, round: number): Promise<boolean> =>
          advanceFromLane(ctx, options, round),
      ),
      deliver: handlers.object.shared(
        async (ctx: ObjectSharedContext, delivery: Delivery): Promise<PutAnswer> => {
          const { tenant, run } = readKey(ctx.key);
          const message = { ...checkDelivery(delivery), run };
          const { attemptCompletedSignal: attempt } = ctx.request();
          const answer = await ctx.run("put", async () => {
            const served = await options.portsOf(tenant);
            if (served.kind === "unserved") throw noSuchRun();
            const { clock, stores } = served.ports;
            return puts.put({ tenant, clock, attempt }, () => stores.inbox.put(message));
          });
          // Also when the row is known: the message that should have followed it may be lost.
          sendAdvance(ctx, ctx.key, { idempotencyKey: `${ctx.key}:told:${message.key}` });
          return answer;
        },
      ),
      /** Looks at the log: this makes up for any lost message. */
      look: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<void> => {
        readKey(ctx.key);
        sendAdvance(ctx, ctx.key, {});
      }),
      /** The same for many runs of the tenant, each at its time. The run of the key is any. */
      lookAll: handlers.object.shared(
        async (ctx: ObjectSharedContext, looks: readonly Look[]): Promise<void> => {
          const { tenant } = readKey(ctx.key);
          const { kind } = await ctx.run("tenant", async () => {
            const { kind: found } = await options.portsOf(tenant);
            return { kind: found };
          });
          if (kind === "unserved") throw noSuchRun();
          if (!isLooks(looks))
            throw new TerminalError("these are no runs to look at", { errorCode: 400 });
          for (const { run, delayMs: delay } of looks)
            sendAdvance(ctx, formatRunKey({ tenant, run }), delay === undefined ? {} : { delay });
        },
      ),
    },
    options: { ...ENGINE_OPTIONS, enableLazyState: true },
    ...(options.releases === undefined
      ? {}
      : { metadata: { [RELEASE_METADATA]: options.releases.own.name } }),
  });
}

/** The name under which the engine knows the release that drives the runs. */
export const RELEASE_METADATA = "release";

/**
 * One step: here, or where the run's loops are. Without a free slot, it reports that. The state of
 * the tenant is read within the step: a repeated attempt must find the same as the first.
 */
async function advanceRun(
  ctx: ObjectContext,
  options: RunObjectOptions,
  from: AskedStep["from"],
): Promise<Queued | undefined> {
  const { tenant, run } = readKey(ctx.key);
  const { attemptCompletedSignal: attempt } = ctx.request();
  const { inactivityTimeout, abortTimeout } = engineTiming(options);
  const step = async (away?: string): Promise<Owed | Queued | Kept> => {
    const found = await findRun(ctx.key, options);
    if ("keptAtMs" in found) return found;
    const look = away === undefined ? findOtherRelease(options.releases, found.ports) : { away };
    return stepFor(found, options, { attempt, from, ...look });
  };
  const settle = async (taken: Owed | Queued | Kept): Promise<Queued | undefined> => {
    const owed = "keptAtMs" in taken ? await keepMessage(ctx, taken) : taken;
    if (isQueued(owed)) return owed;
    await sendOwed(ctx, tenant, owed);
    return undefined;
  };
  const stepped = await ctx.run("step", () => step());
  if (!("elsewhere" in stepped) || stepped.elsewhere === undefined) return settle(stepped);
  const { elsewhere, ...owed } = stepped;
  const stepMsMax = inactivityTimeout + abortTimeout;
  const findPorts = async () => {
    const found = await findRun(ctx.key, options);
    return "keptAtMs" in found ? undefined : found.ports;
  };
  const handed = await handToRelease(ctx, elsewhere, { run, findPorts, owed, stepMsMax });
  // A release that does not take the run leaves it blocked, and its log says so.
  return settle(handed ?? (await ctx.run("left", () => step(elsewhere.release))));
}

/** The state that the engine keeps of a run in a lane: since when it is there. */
const QUEUED = "queuedAtMs";
/** A run that has been in a lane for so long may queue again: what let it wait may be lost. */
const QUEUED_MS_MAX = 10 * 60 * 1000;

/** Has the run queue, unless it is queued already: one look finds all messages since. */
async function queueInLane(ctx: ObjectContext, { lane, nowMs }: Queued): Promise<void> {
  const since = await ctx.get<number>(QUEUED);
  if (since !== null && nowMs - since < QUEUED_MS_MAX) return;
  const named = parseRunKey(ctx.key);
  if (named === undefined) return;
  ctx.set(QUEUED, nowMs);
  ctx.genericSend({
    ...{ service: LANE_OBJECT, method: "pass", parameter: named.run },
    key: formatLaneKey({ tenant: named.tenant, lane }),
    inputSerde: serde.json as Serde<string>,
  });
}

/** A step for which the run has queued in a lane. */
async function advanceFromLane(
  ctx: ObjectContext,
  options: RunObjectOptions,
  round: number,
): Promise<boolean> {
  const queued = await advanceRun(ctx, options, { lane: round });
  if (queued === undefined) ctx.clear(QUEUED);
  return queued !== undefined;
}

/** How long the engine remembers that a message was sent: a second one would find nothing to do. */
const DEDUPE_MS = 60_000;

/** The state that the engine keeps of a run: when the message that wakes it is due. */
const WAKE = "wakeAtMs";
/**
 * A message that is due this soon may be the one being worked on, sent by a worker whose clock was
 * ahead: it is not relied on.
 */
const CLOCKS_APART_MS = 2_000;

async function sendOwed(ctx: ObjectContext, tenant: string, owed: Owed): Promise<void> {
  const { sequence, continues, wakeAtMs, others, nowMs } = owed;
  const own = ctx.key;
  for (const other of others) {
    const key = formatRunKey({ tenant, run: other });
    sendAdvance(ctx, key, { idempotencyKey: `${own}:${sequence}:${other}` });
  }
  // Without a key: this handler's journal sends it once, and the run has moved since the last one.
  if (continues) sendAdvance(ctx, own, {});
  if (wakeAtMs === undefined) return;
  const set = (await ctx.get<number>(WAKE)) ?? null;
  const outstanding = set !== null && set > nowMs + CLOCKS_APART_MS ? set : null;
  // An earlier wake looks at the log, and sets the next.
  if (outstanding !== null && outstanding <= wakeAtMs) return;
  ctx.set(WAKE, wakeAtMs);
  const delay = Math.max(0, wakeAtMs - nowMs);
  // Without a key: a wake that comes too early by its own clock sees no newer event than its
  // sender, and sends the same again.
  sendAdvance(ctx, own, { delay });
}

interface SendOptions {
  readonly delay?: number;
  readonly idempotencyKey?: string;
}

function sendAdvance(
  ctx: ObjectContext | ObjectSharedContext,
  key: string,
  options: SendOptions,
): void {
  ctx.genericSend({
    service: RUN_OBJECT,
    method: "advance",
    key,
    parameter: undefined,
    inputSerde: serde.empty,
    ...options,
  });
}

const isDelivery: Is<Delivery> = hasFields({
  key: isText,
  kind: isOneOf(["start", "signal", "cancel", "retry", "resolve", "decide", "answer", "revoke"]),
  body: isPlainObject as Is<JsonObject>,
});

/**
 * The delivery comes from outside, through the ingress. Results come from runs, and never this way.
 */
function checkDelivery(value: unknown): Delivery {
  if (!isDelivery(value))
    throw new TerminalError("the message is not a valid delivery", { errorCode: 400 });
  const { key, kind, body } = value;
  return { key, kind, body };
}
