/**
 * A desk that refunds orders under rules, for tests: real host and kernel on memory stores, a clock
 * that stands still, and the effects counted outside.
 */
import {
  createMemorySigner,
  type ManualClock,
  type Model,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  type Effect,
  type Grant,
  type Identity,
  type JsonValue,
  type LoopEvent,
  type Policy,
  type RunBounds,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type Finding, type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

export interface Refund {
  readonly order: string;
  readonly cents: number;
}

export const signer = await createMemorySigner();

export const signingKey: PublicKey = {
  keyId: signer.keyId,
  x: signer.x,
  issuer: "development",
  validFrom: "2020-01-01T00:00:00.000Z",
};

export const ask: Policy["rules"][number] = {
  id: "large-refunds",
  decision: "ask",
  tools: ["local.refund"],
  role: "finance",
  when: "args.cents > 1000",
  file: "refunds.toml",
  line: 7,
};
export const allow: Policy["rules"][number] = { id: "refunds", decision: "allow" };

export const ada: Identity = { id: "ada", roles: ["finance"] };
export const bob: Identity = { id: "bob", roles: ["finance", "support"] };
export const eve: Identity = { id: "eve", roles: ["support"] };

export const grant: Grant = {
  grantor: "ada",
  tools: ["local.refund", "turnseal.question"],
  budget: { effects: 100, toolCalls: 200 },
};

export interface DeskOptions {
  /** The desk of an earlier process, to go on with. */
  readonly after?: Desk;
  readonly clock?: ManualClock;
  /** The refunds in the model's first round; then it answers. */
  readonly asks?: readonly Refund[];
  readonly model?: Model;
  readonly policy?: Policy;
  /** The rules of today. */
  readonly today?: Policy;
  readonly shadow?: Policy;
  readonly effect?: Effect;
  /** The version of the tool. */
  readonly version?: string;
  readonly bounds?: Partial<RunBounds>;
  readonly grant?: Partial<Grant>;
  /** The starter of its runs. */
  readonly by?: string;
  readonly see?: (stores: Stores) => Stores;
  readonly act?: (refund: Refund) => Promise<JsonValue> | JsonValue;
}

export interface Desk {
  readonly host: LocalHost;
  readonly clock: ManualClock;
  readonly stores: Stores;
  /** Refunds that were made. */
  readonly made: Refund[];
  readonly options: DeskOptions;
  start(key?: string): Promise<string>;
  events(run: string): Promise<readonly LoopEvent[]>;
  /** Why the run waits or stopped. */
  drive(run: string): Promise<string>;
  /** The findings of an independent verifier, apart from a turn that is still open. */
  findFaults(run: string): Promise<readonly Finding[]>;
  /** How every closed turn replays. */
  replay(run: string): Promise<readonly string[]>;
}

export function policyOf(...rules: Policy["rules"]): Policy {
  return { name: "refunds", rules };
}

export function openDesk(options: DeskOptions = {}): Desk {
  const { after, clock = after?.clock ?? manualClock() } = options;
  const stores = after?.stores ?? memoryStores(clock);
  const made = after?.made ?? [];
  const { refund, desk } = createLoops(made, options);
  const host = createLocalHost({
    loops: [refund, desk],
    stores: options.see?.(stores) ?? stores,
    signer,
    clock,
    ids: seededIds("desk"),
    models: { scripted: options.model ?? askFor(options.asks ?? [{ order: "A-1", cents: 1200 }]) },
    ...(options.today === undefined ? {} : { policy: options.today }),
    ...(options.shadow === undefined ? {} : { shadow: options.shadow }),
  });
  return {
    host,
    clock,
    stores,
    made,
    options,
    start: (key = "run") =>
      host.start(
        desk,
        { word: "go" },
        {
          key,
          grant: { ...grant, ...options.grant },
          policy: options.policy ?? policyOf(ask, allow),
          ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
          ...(options.by === undefined ? {} : { by: options.by }),
        },
      ),
    events: (run) => stores.log.read(run, 1),
    drive: async (run) => {
      const advanced = await host.advance(run);
      if (advanced.dues.kind === "blocked") return advanced.dues.why;
      return advanced.projection?.stopped ?? advanced.dues.kind;
    },
    findFaults: async (run) => findFaults(run, stores),
    replay: async (run) => {
      const kinds: string[] = [];
      for await (const { replayed } of host.replay(run))
        kinds.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      return kinds;
    },
  };
}

function createLoops(
  made: Refund[],
  { effect = "idempotent", version = "1.2.0", act }: DeskOptions,
) {
  const refund = defineTool({
    ...{ id: "refund", version, effect, build: "test" },
    input: jsonSchema<Refund>({
      type: "object",
      properties: { order: { type: "string" }, cents: { type: "integer", minimum: 1 } },
      required: ["order", "cents"],
      additionalProperties: false,
    }),
    output: jsonSchema<JsonValue>(true),
    run: async (input) => {
      made.push(input);
      return act === undefined ? { refunded: input.cents } : act(input);
    },
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [refund] },
    input: jsonSchema<{ readonly word: string }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    template: "{{word}}",
  });
  return { refund, desk };
}

/** A model that asks for refunds at once, and then answers with the results. */
export function askFor(refunds: readonly Refund[]): Model {
  return {
    defaultModel: "scripted",
    generate: async ({ messages }) => {
      const asked = messages.findLastIndex(({ role }) => role === "user");
      const told = messages.slice(asked).filter(({ role }) => role === "tool");
      const content =
        told.length > 0
          ? [
              {
                kind: "text" as const,
                text: JSON.stringify({
                  told: told.map((message) => (message.role === "tool" ? message.result : null)),
                }),
              },
            ]
          : refunds.map((input, index) => ({
              kind: "tool-call" as const,
              toolCallId: `call-${index}`,
              toolName: "local__refund",
              input: JSON.stringify(input),
            }));
      return {
        content,
        finishReason: told.length > 0 ? "stop" : "tool-calls",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
}

/** The findings of an independent verifier, apart from a turn that is still open. */
export async function findFaults(run: string, stores: Stores): Promise<readonly Finding[]> {
  const events = await stores.log.read(run, 1);
  const receipts: string[] = [];
  for (let turn = 1; ; turn++) {
    const receipt = await stores.receipts.read(run, turn);
    if (receipt === undefined) break;
    receipts.push(canonicalize(receipt.envelope));
  }
  const { findings } = await verifyRun({ run, events, receipts }, { keys: [signingKey] });
  return findings.filter(({ code }) => code !== "RUN_UNSEALED" && code !== "TAIL_UNSEALED");
}
