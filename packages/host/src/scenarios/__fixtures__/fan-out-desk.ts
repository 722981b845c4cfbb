/**
 * A desk that pays what a flow says, for tests: real host and kernel on memory stores, each step by
 * a new process, and the payments counted outside.
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
  type Amounts,
  canonicalize,
  type FlowNode,
  type JsonValue,
  type LoopDef,
  type LoopEvent,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { type Finding, verifyRun, verifyTree } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

const signer = await createMemorySigner();
const keys = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];
const policy = {
  name: "desk",
  rules: [
    { id: "ask", decision: "ask", tools: ["local.pay"], role: "finance" },
    { id: "rest", decision: "allow" },
  ],
} as const;

export interface FanOutDeskOptions {
  /** True if every payment is asked for. */
  readonly isAsked?: boolean;
  readonly effect?: "idempotent" | "once";
  readonly budget?: Amounts;
  readonly failuresMax?: number;
  readonly model?: Model;
  readonly act?: (at: JsonValue) => Promise<JsonValue> | JsonValue;
}

export interface FanOutDesk {
  readonly run: string;
  readonly stores: Stores;
  readonly clock: ManualClock;
  /** A new process. */
  readonly open: () => LocalHost;
  /** The payments, in order. */
  readonly paid: JsonValue[];
  /** A new process goes on: what the run waits for, or why it stopped. */
  drive(): Promise<string>;
  /** The open requests, as `order`: the request of each by its payment. */
  requests(): Promise<{ readonly id: string; readonly at: JsonValue }[]>;
  approve(at: JsonValue): Promise<unknown>;
  decide(id: string): Promise<unknown>;
  events(): Promise<readonly LoopEvent[]>;
  /** How items ended, in the order of the log. */
  ends(): Promise<string[]>;
  output(): Promise<JsonValue>;
  /** The findings of an independent verifier, and how every closed turn replays. */
  judge(): Promise<{ readonly findings: readonly Finding[]; readonly replays: string[] }>;
}

export const payAt = (at: string, loopId = "pay"): FlowNode => ({
  kind: "call",
  loopId,
  inputMapping: { at },
});

/** Starts a run of a flow. */
export async function openFanOutDesk(
  flow: FlowNode,
  options: FanOutDeskOptions = {},
): Promise<FanOutDesk> {
  const { isAsked = true, budget = { toolCalls: 500, effects: 500 }, failuresMax = 1 } = options;
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid: JsonValue[] = [];
  const desk = createLoops(flow, paid, options);
  const open = () =>
    createLocalHost({
      ...{ loops: [desk], stores, signer, clock, ids: seededIds("desk") },
      ...(options.model === undefined ? {} : { models: { scripted: options.model } }),
    });
  const run = await open().start(
    desk,
    {},
    {
      key: "run",
      grant: { grantor: "ada", tools: ["local.pay"], budget },
      bounds: { failuresMax },
      ...(isAsked ? { policy } : {}),
    },
  );
  const events = () => stores.log.read(run, 1);
  const requests: FanOutDesk["requests"] = async () =>
    (await open().requests(run)).map(({ id, request }) => ({
      id,
      at: (request as { readonly at: JsonValue }).at,
    }));
  const decide = (id: string) =>
    open().decide(run, id, { choice: "approve", by: { id: "ada", roles: ["finance"] } });
  return {
    ...{ run, stores, clock, open, paid, events, requests, decide },
    drive: async () => {
      const { dues, projection } = await open().advance(run);
      return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
    },
    approve: async (at) => {
      const found = (await requests()).find((request) => request.at === at);
      return decide(found?.id ?? "");
    },
    ends: async () =>
      (await events()).flatMap((event) =>
        event.type === "item.closed" ? [`${event.content.index} ${event.content.status}`] : [],
      ),
    output: async () => {
      const outcome = await open().resume(desk, run);
      return outcome.status === "completed" ? outcome.output : outcome.status;
    },
    judge: async () => {
      const receipts: string[] = [];
      for (let turn = 1; ; turn++) {
        const receipt = await stores.receipts.read(run, turn);
        if (receipt === undefined) break;
        receipts.push(canonicalize(receipt.envelope));
      }
      const whole = { run, events: await events(), receipts };
      const alone = await verifyRun(whole, { keys });
      const tree = await verifyTree([whole], { keys });
      const replays: string[] = [];
      for await (const { replayed } of open().replay(run))
        replays.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      return { findings: [...alone.findings, ...tree.set.findings], replays };
    },
  };
}

function createLoops(
  flow: FlowNode,
  paid: JsonValue[],
  { effect = "idempotent", act = (at: JsonValue) => at }: FanOutDeskOptions,
): Loop<JsonValue, JsonValue> {
  const keys = new Set<string>();
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect, build: "test" },
    input: jsonSchema<{ readonly at: JsonValue }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: async ({ at }, { key }) => {
      const result = await act(at);
      if (!keys.has(key)) paid.push(at);
      keys.add(key);
      return result;
    },
  });
  const think = definePrompt({
    ...{ id: "think", version: "1.0.0" },
    input: jsonSchema<{ readonly at: string }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    template: "{{at}}",
    thread: true,
  });
  const definition: LoopDef = {
    ...{ id: "desk", name: "desk", version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "composite",
    composite: { flow },
  };
  return { definition, uses: [pay, think] };
}
