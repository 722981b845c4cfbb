/** A run on memory stores for tests of the host: every part is real, and the clock stands still. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  bindTools,
  createRegistry,
  pinReferences,
  type Registry,
  type ToolBindings,
} from "@turnseal/kernel";
import {
  type AnyForm,
  contentsOf,
  type InboxMessage,
  type ManualClock,
  type Model,
  manualClock,
  memoryStores,
  type Signer,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type {
  Grant,
  JsonObject,
  JsonValue,
  LoopDef,
  LoopEvent,
  LoopEventType,
  RunBounds,
} from "@turnseal/protocol";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";
import { type AdvanceOptions, advance } from "../advance.ts";
import type { Advanced } from "../decide/advanced.ts";
import type { HostPorts } from "../host-ports.ts";

const privateKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${"09".repeat(32)}`, "hex"),
  format: "der",
  type: "pkcs8",
});
const { x: keyText = "" } = createPublicKey(privateKey).export({ format: "jwk" });
const signer: Signer = {
  keyId: keyIdOf(keyText),
  issuer: "development",
  sign: async (data) => new Uint8Array(sign(null, data, privateKey)),
};

/** The key that verifies its receipts. */
export const signingKey: PublicKey = {
  ...{ keyId: signer.keyId, x: keyText, issuer: "development" },
  validFrom: "2020-01-01T00:00:00.000Z",
};

export const RUN = "7d0a3a5e-51c5-4c4f-8f39-8f0f6b1f2a3b";

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;

/** A prompt that the scripted model answers. */
export const ask: LoopDef = {
  ...header("ask"),
  kind: "prompt",
  prompt: { template: "Say {{word}} {{note}}", variables: ["word", "note"] },
};

/** A tool loop, bound to `local.pay`. */
export const pay: LoopDef = {
  ...header("pay"),
  kind: "tool",
  tool: { implementation: "local.pay" },
};

export interface SampleWorldOptions {
  readonly loop?: LoopDef;
  /** The loops that it calls. */
  readonly loops?: readonly LoopDef[];
  readonly model?: Model;
  readonly tools?: ToolBindings;
  readonly grant?: Partial<Grant>;
  readonly bounds?: Partial<RunBounds>;
  readonly input?: JsonValue;
  /** The world of an earlier process, to go on with. */
  readonly after?: SampleWorld;
  /** The stores as the host sees them. */
  readonly see?: (stores: Stores) => Stores;
}

export interface SampleWorld {
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly ports: HostPorts;
  put(message: Omit<InboxMessage, "run">): Promise<unknown>;
  /** Makes the start durable, with the other messages. */
  start(): Promise<unknown>;
  advance(options?: AdvanceOptions): Promise<Advanced>;
  events(): Promise<readonly LoopEvent[]>;
  contents<Type extends LoopEventType>(type: Type): Promise<readonly AnyForm<Type>[]>;
  /** Why the run stopped, or its next step. */
  end(options?: AdvanceOptions): Promise<string>;
}

export function openWorld(options: SampleWorldOptions = {}): SampleWorld {
  const {
    loop = ask,
    model = scriptedModel(),
    tools = {},
    see = (stores: Stores) => stores,
  } = options;
  const clock = options.after?.clock ?? manualClock();
  const stores = options.after?.stores ?? memoryStores(clock);
  const registry = createRegistry();
  for (const definition of [loop, ...(options.loops ?? [])]) registry.register(definition);
  const ports: HostPorts = {
    stores: see(stores),
    clock,
    ids: seededIds("sample"),
    signer,
    registry,
    models: new Map([["scripted", model]]),
    tools: bindTools(tools),
  };
  const put: SampleWorld["put"] = (message) => stores.inbox.put({ run: RUN, ...message });
  const events = (): Promise<readonly LoopEvent[]> => stores.log.read(RUN, 1);
  const step: SampleWorld["advance"] = (given) => advance(RUN, ports, given);
  return {
    clock,
    stores,
    ports,
    put,
    events,
    advance: step,
    start: () => put({ key: "start", kind: "start", body: startBody(registry, loop, options) }),
    contents: async (type) => contentsOf(await events(), type),
    end: async (given) => {
      const { dues, projection } = await step(given);
      return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
    },
  };
}

function startBody(registry: Registry, loop: LoopDef, options: SampleWorldOptions): JsonObject {
  const checked = registry.resolve(loop.id);
  if (checked === undefined) throw new Error("the loop is refused");
  const spec = {
    loop: loop.id,
    version: loop.version,
    pinned: pinReferences(registry, checked),
    grant: { grantor: "test", tools: ["local.pay"], budget: {}, ...options.grant },
    bounds: { turnsMax: 5, failuresMax: 1, resumesMax: 3, ...options.bounds },
  };
  return { spec: spec as unknown as JsonObject, input: options.input ?? { word: "yes" } };
}

/** Lets everything run that can. */
export function settle(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Throws at the given append, counted from one, and at no other. */
export function crashAt(place: number, when: "before" | "after" = "before") {
  let count = 0;
  return (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        count += 1;
        if (count === place && when === "before") throw new Error("crash");
        const answer = await stores.log.append(append);
        if (count === place) throw new Error("crash");
        return answer;
      },
    },
  });
}
