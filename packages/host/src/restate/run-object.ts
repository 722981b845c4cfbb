/**
 * A run as a virtual object of Restate, under the key of its tenant and its id.
 *
 * 1. `advance` is the only exclusive handler, and nobody outside can call it. Every message means:
 *    look at the log. A duplicate, a late or a reordered one finds nothing to do.
 * 2. It is one journaled step, and then exactly what the log owes: a message to itself, at most one
 *    later, messages to other runs.
 * 3. `deliver` puts a row into the inbox and sends `advance`; everything that is told to a run goes
 *    through it. No handler ever waits for a person.
 */
import {
  handlers,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  serde,
  TerminalError,
} from "@restatedev/restate-sdk";
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { hasFields, type Is, isOneOf, isText } from "@turnseal/protocol/shape";
import type { HostPorts } from "../host-ports.ts";
import { formatRunKey, parseRunKey, type RunKey } from "./run-key.ts";
import type { Slots } from "./slots.ts";
import { type Owed, type StepOptions, stepInSlot } from "./step-run.ts";
import { engineTiming, RETRY_PAUSE_MS_MAX, type RunTiming } from "./timing.ts";

/** The name of the object that every run is one of. */
export const RUN_OBJECT = "Run";

export interface RunObjectOptions extends RunTiming, Watching {
  /** The ports of a tenant's host; undefined when there is no such tenant. */
  readonly portsOf: (tenant: string) => HostPorts | undefined;
  /** How many runs this worker carries at once: as many as come, unless given. */
  readonly slots?: Slots;
  /** Around everything that is done for a run, so that what goes astray can be told whose it is. */
  readonly within?: <Result>(place: RunKey, carry: () => Promise<Result>) => Promise<Result>;
}

/** What whoever runs a worker is told of its runs, each time that they are looked at. */
type Watching = Pick<StepOptions, "onBlocked" | "onFailed">;

/** What is told to a run, without the run. */
export type Delivery = Pick<InboxMessage, "key" | "kind"> & { readonly body: JsonObject };

type Ports = RunObjectOptions["portsOf"];

/** The object, to be bound to an endpoint of the engine. */
export function createRunObject(options: RunObjectOptions) {
  const { sliceMs, inactivityTimeout, abortTimeout } = engineTiming(options);
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
          const { tenant, run, ports } = findPorts(ctx.key, options.portsOf);
          const attempt = ctx.request().attemptCompletedSignal;
          const { onBlocked = () => {}, onFailed = () => {} } = options;
          const { within = (_, carry) => carry() } = options;
          const step = { sliceMs, attempt, onBlocked, onFailed };
          const carry = () => stepInSlot(run, ports, step, options.slots);
          const owed = await ctx.run("step", () => within({ tenant, run }, carry));
          await sendOwed(ctx, tenant, owed);
        },
      ),
      deliver: handlers.object.shared(
        async (ctx: ObjectSharedContext, delivery: Delivery): Promise<PutAnswer> => {
          const { run, ports } = findPorts(ctx.key, options.portsOf);
          const message = { ...checkDelivery(delivery), run };
          const answer = await ctx.run("put", () => ports.stores.inbox.put(message));
          // Also when the row is known: the message that should have followed it may be lost.
          sendAdvance(ctx, ctx.key, { idempotencyKey: `${ctx.key}:told:${message.key}` });
          return answer;
        },
      ),
      /** Looks at the log, whatever was lost: the answer to every doubt. */
      look: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<void> => {
        sendAdvance(ctx, ctx.key, {});
      }),
    },
    options: {
      // The engine's own cancel must not free the key while a step still acts.
      explicitCancellation: true,
      // A store or an engine that is away comes back: there is no number of attempts to give up at.
      retryPolicy: {
        initialInterval: 50,
        exponentiationFactor: 2,
        maxInterval: RETRY_PAUSE_MS_MAX,
        maxAttempts: ATTEMPTS_UNBOUNDED,
      },
      journalRetention: 0,
      enableLazyState: true,
    },
  });
}

/** How long the engine remembers that a message was sent: a second one would find nothing to do. */
const DEDUPE_MS = 60_000;

/** As many attempts as the engine can count. */
const ATTEMPTS_UNBOUNDED = 2 ** 31 - 1;

/** The state that the engine keeps of a run: when the message that wakes it is due. */
const WAKE = "wakeAtMs";
/**
 * A message that is due so soon may be the one that is being worked on, sent by a worker whose
 * clock was ahead: it is not relied on.
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
  // One that comes sooner looks at the log, and sets the next.
  if (outstanding !== null && outstanding <= wakeAtMs) return;
  ctx.set(WAKE, wakeAtMs);
  const delay = Math.max(0, wakeAtMs - nowMs);
  // Without a key: whoever is woken too early by its own clock has seen no other event than whoever
  // sent this, and sends it again.
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

/** A key that nobody serves is not tried again. */
function findPorts(key: string, portsOf: Ports) {
  const named = parseRunKey(key);
  const ports = named === undefined ? undefined : portsOf(named.tenant);
  if (named === undefined || ports === undefined)
    throw new TerminalError("no such run", { errorCode: 404 });
  return { ...named, ports };
}

const isDelivery: Is<Delivery> = hasFields({
  key: isText,
  kind: isOneOf(["start", "signal", "cancel", "retry", "resolve", "decide", "answer"]),
  body: isPlainObject as Is<JsonObject>,
});

/** What comes through the ingress is from outside. A result comes from a run, and never so. */
function checkDelivery(value: unknown): Delivery {
  if (!isDelivery(value))
    throw new TerminalError("the message is not a valid delivery", { errorCode: 400 });
  const { key, kind, body } = value;
  return { key, kind, body };
}
