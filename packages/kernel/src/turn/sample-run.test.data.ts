/**
 * A run for tests: real parts on the memory stores, a clock that stands still, and a store that can
 * fail at any append.
 */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  type AnyForm,
  type Append,
  contentsOf,
  type LiveBus,
  type ManualClock,
  type Model,
  manualClock,
  memoryStores,
  type ProviderLimits,
  type RateLimits,
  SAMPLE_CONTENTS,
  type Signer,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  type Amounts,
  foldSpending,
  type Grant,
  type JsonValue,
  type LoopEvent,
  type LoopEventType,
  NO_SPENDING,
  type PriceTable,
  type Spending,
} from "@turnseal/protocol";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";
import { bindTools, type ToolBindings } from "../actions/bind-tools.ts";
import { type Appender, createAppender, type EventDraft } from "../log/appender.ts";
import { createContent } from "../log/content.ts";
import { pinReferences } from "../registry/pin-references.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import type { RulesInForce } from "./judge-actions.ts";
import { closeStalledTurn, runTurn } from "./run-turn.ts";
import type { TurnPorts, TurnRequest, TurnResult } from "./turn-request.ts";

const privateKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${"05".repeat(32)}`, "hex"),
  format: "der",
  type: "pkcs8",
});
const { x: keyText = "" } = createPublicKey(privateKey).export({ format: "jwk" });

export const sampleSigner: Signer = {
  keyId: keyIdOf(keyText),
  issuer: "development",
  sign: async (data) => new Uint8Array(sign(null, data, privateKey)),
};

export const sampleKey: PublicKey = {
  keyId: sampleSigner.keyId,
  x: keyText,
  issuer: "development",
  validFrom: "2020-01-01T00:00:00.000Z",
};

export const RUN = "0f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

export interface SampleRunOptions {
  /** The first is the root loop. */
  readonly loops: readonly unknown[];
  readonly tools?: ToolBindings;
  readonly model?: Model;
  /** Further models, by the name of their backend. */
  readonly models?: Readonly<Record<string, Model>>;
  /** The rate limiter, by the clock of the run. */
  readonly rateLimits?: (clock: ManualClock) => RateLimits;
  /** The provider limits of all tenants together, likewise. */
  readonly providerLimits?: (clock: ManualClock) => ProviderLimits;
  readonly budget?: Amounts;
  readonly grant?: Partial<Grant>;
  readonly prices?: PriceTable;
  readonly live?: LiveBus;
  readonly rules?: RulesInForce;
  readonly input?: JsonValue;
  /** Told of every append before it happens; what it throws is thrown instead. */
  readonly beforeAppend?: (append: Append) => void;
  /** The same, after it has happened. */
  readonly afterAppend?: (append: Append) => void;
}

/** A person's word on an open claim. */
export interface SampleWord {
  readonly resolution: "happened" | "retry" | "abandon";
  readonly result?: JsonValue;
}

export interface SampleRun {
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly registry: Registry;
  readonly request: Omit<TurnRequest, "recorded" | "turn">;
  /** Everything in the log. */
  events(): Promise<readonly LoopEvent[]>;
  /** The content of the events of one type, in order. */
  contents<Type extends LoopEventType>(type: Type): Promise<readonly AnyForm<Type>[]>;
  types(): Promise<readonly string[]>;
  spending(): Promise<Spending>;
  /** Begins a turn, or goes on with the open one, as a worker that has just started. */
  turn(options?: TurnOptions): Promise<TurnResult>;
  /** Lets the next look find a cancel. */
  cancel(): void;
}

export interface TurnOptions {
  /** Said before the turn is resumed, about the last claim. */
  readonly word?: SampleWord;
  /** Events by people before the turn is resumed. */
  readonly said?: readonly EventDraft[];
  /** A cancel came while nobody worked on the turn. */
  readonly isCancelled?: boolean;
  /** Changes the log that the worker sees. */
  readonly see?: (events: readonly LoopEvent[]) => readonly LoopEvent[];
  readonly registry?: Registry;
  /** The pinned loops, replacing those of the start. */
  readonly pinned?: TurnRequest["pinned"];
  readonly tools?: ToolBindings;
  readonly isStalled?: boolean;
}

export function openRun(options: SampleRunOptions): SampleRun {
  const clock = manualClock();
  const stores = failing(memoryStores(clock), options);
  const registry = registerAll(options.loops);
  const request = createRequest(registry, options);
  const events = (): Promise<readonly LoopEvent[]> => stores.log.read(RUN, 1);
  const rateLimits = options.rateLimits?.(clock);
  const providerLimits = options.providerLimits?.(clock);
  let isCancelled = false;
  const sample: SampleRun = {
    ...{ clock, stores, registry, request, events },
    contents: async (type) => contentsOf(await events(), type),
    types: async () => (await events()).map(({ type }) => type),
    spending: async () => (await events()).reduce(foldSpending, NO_SPENDING),
    cancel: () => {
      isCancelled = true;
    },
    turn: async ({ word, said = [], see = (all: readonly LoopEvent[]) => all, ...given } = {}) => {
      const { epoch, head } = await stores.log.takeEpoch(RUN);
      const log = await events();
      let spending = log.reduce(foldSpending, NO_SPENDING);
      const key = (await stores.blobs.keepKey(RUN, new Uint8Array(32).fill(3))) ?? new Uint8Array();
      const appender = createAppender({
        run: RUN,
        epoch,
        head,
        lastMs: Date.parse(log.at(-1)?.at ?? new Date(0).toISOString()),
        stores,
        clock,
        ids: seededIds("sample"),
        content: createContent(RUN, key, stores.blobs),
        fold: (event) => {
          spending = foldSpending(spending, event);
        },
        snapshot: () => ({ run: RUN, sequence: 0, state: {} }),
      });
      if (word !== undefined) pushWord(appender, log, word);
      for (const draft of said) appender.push(() => draft);
      if (given.isCancelled === true) pushCancel(appender);
      const { recorded, turn } = await readTurn(appender, log, events);
      const ports: TurnPorts = {
        ...{ appender, clock, signer: sampleSigner },
        registry: given.registry ?? registry,
        spending: () => spending,
        effects: {
          tools: bindTools(given.tools ?? options.tools ?? {}),
          models: bindSamples(options),
          prices: options.prices,
        },
        memory: {},
        control: {
          rules: options.rules,
          rateLimits,
          providerLimits,
          live: options.live,
          takeCancel: async () => {
            if (!isCancelled) return false;
            isCancelled = false;
            pushCancel(appender);
            await appender.flush();
            return true;
          },
        },
      };
      const pinned = given.pinned ?? request.pinned;
      const whole = { ...request, pinned, turn, recorded: see(recorded) };
      return given.isStalled === true ? closeStalledTurn(whole, ports) : runTurn(whole, ports);
    },
  };
  return sample;
}

function bindSamples({
  model = scriptedModel(),
  models = {},
}: SampleRunOptions): ReadonlyMap<string, Model> {
  return new Map([["sample", model], ...Object.entries(models)]);
}

function failing(stores: Stores, { beforeAppend, afterAppend }: SampleRunOptions): Stores {
  const append: Stores["log"]["append"] = async (rows) => {
    beforeAppend?.(rows);
    const answer = await stores.log.append(rows);
    afterAppend?.(rows);
    return answer;
  };
  return { ...stores, log: { ...stores.log, append } };
}

export function registerAll(loops: readonly unknown[]): Registry {
  const registry = createRegistry();
  for (const loop of loops) {
    const registration = registry.register(loop);
    if (registration.kind === "refused") throw new Error(JSON.stringify(registration.problems));
  }
  return registry;
}

function createRequest(registry: Registry, options: SampleRunOptions): SampleRun["request"] {
  const [root] = registry.list();
  if (root === undefined) throw new Error("a run needs a loop");
  const tools = registry
    .list()
    .flatMap(({ definition: { tool } }) => (tool === undefined ? [] : [tool.implementation]));
  return {
    run: RUN,
    loop: root.definition.id,
    version: root.definition.version,
    pinned: pinReferences(registry, root),
    input: options.input ?? {},
    grant: { grantor: "test", tools, budget: options.budget ?? {}, ...options.grant },
    previousReceipt: null,
  };
}

/** The open turn with the note that it is resumed, or nothing for a turn that begins. */
async function readTurn(
  appender: Appender,
  log: readonly LoopEvent[],
  events: () => Promise<readonly LoopEvent[]>,
): Promise<{ readonly recorded: readonly LoopEvent[]; readonly turn: number }> {
  const first = log.findLastIndex(({ type }) => type === "turn.started");
  const isOpen = first >= 0 && !log.slice(first).some(({ type }) => type === "turn.closed");
  const turns = log.filter((event) => event.type === "turn.started").length;
  if (!isOpen) return { recorded: [], turn: turns + 1 };
  appender.push(() => ({
    type: "turn.resumed",
    turn: turns,
    actor: { kind: "host", id: "host" },
    content: { resumes: 1 },
  }));
  await appender.flush();
  return { recorded: (await events()).slice(first), turn: turns };
}

function pushCancel(appender: Appender): void {
  appender.push(() => ({
    type: "signal.received",
    actor: { kind: "person", id: "me" },
    content: { ...SAMPLE_CONTENTS.cancel, key: "cancel" },
  }));
}

function pushWord(appender: Appender, log: readonly LoopEvent[], word: SampleWord): void {
  const claim = log.findLast((event) => event.type === "action.claimed");
  if (claim === undefined) throw new Error("there is no claim to speak of");
  const { turn, call, content: claimed } = claim;
  const { key, reserve } = claimed;
  const { resolution, result } = word;
  appender.push(() => ({
    type: "action.resolved",
    actor: { kind: "person", id: "me" },
    turn,
    call,
    content: { key, claim: claim.sequence, resolution, reserve },
    ...(result === undefined ? {} : { attached: { result } }),
  }));
}

/** Throws at the given append, counted from one, and only once. */
export function crashAt(place: number): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count === place) throw new Error("crash");
  };
}

/** Lets everything run that can. */
export function settle(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
