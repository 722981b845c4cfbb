/**
 * A desk whose fan-outs are runs, for tests: real host and kernel on memory stores, each step by a
 * new process, and the payments counted outside.
 */
import {
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  type Amounts,
  canonicalize,
  type FlowNode,
  type ForEachNode,
  type Grant,
  isClaimOf,
  type JsonValue,
  type LoopDef,
  type LoopEvent,
  type Policy,
} from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

const signer = await createMemorySigner();
const keys = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];

export interface SpreadDeskOptions {
  readonly budget?: Amounts;
  readonly grant?: Partial<Grant>;
  readonly policy?: Policy;
  /** The declared effect of a payment. */
  readonly effect?: "idempotent" | "read";
  /** The act of a payment; time may pass meanwhile. */
  readonly act?: (at: JsonValue, clock: ManualClock) => JsonValue;
  /** Flows of composites that runs are started of, by id. */
  readonly inner?: Readonly<Record<string, ForEachNode>>;
}

export interface SpreadDesk {
  readonly run: string;
  readonly stores: Stores;
  /** The payments, in order. */
  readonly paid: JsonValue[];
  /** A new process, which may see the stores otherwise. */
  open(see?: (stores: Stores) => Stores): LocalHost;
  /** Until it stops, or somebody is waited for: why it stopped. */
  drive(see?: (stores: Stores) => Stores): Promise<string>;
  events(run?: string): Promise<readonly LoopEvent[]>;
  /** The runs that a run started, in the order of its log. */
  children(run?: string): Promise<string[]>;
  stopOf(run: string): Promise<string | null | undefined>;
  output(): Promise<JsonValue>;
  /**
   * The findings of an independent verifier on the whole tree, the number of its runs, and all
   * replays.
   */
  judge(): Promise<{
    readonly codes: readonly string[];
    readonly runs: number;
    readonly replays: readonly string[];
  }>;
}

/** The body of a fan-out: one call of a loop with an item. */
export const callOf = (loopId: string): ForEachNode["body"] => ({
  kind: "call",
  loopId,
  inputMapping: { at: "$.item" },
});

/** A fan-out with a run for each item. */
export function spread(
  items: ForEachNode["items"],
  fields: Partial<ForEachNode> = {},
): ForEachNode {
  return { kind: "forEach", items, max: 300, spread: "runs", body: callOf("pay"), ...fields };
}

export async function openSpreadDesk(
  flow: FlowNode,
  options: SpreadDeskOptions = {},
): Promise<SpreadDesk> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid: JsonValue[] = [];
  const desk = createLoops(flow, paid, { ...options, clock });
  const open: SpreadDesk["open"] = (see = (all) => all) =>
    createLocalHost({ loops: [desk], stores: see(stores), signer, clock, ids: seededIds("desk") });
  const grant: Grant = {
    grantor: "ada",
    tools: ["local.pay"],
    handoffs: ["pay", ...Object.keys(options.inner ?? {})],
    budget: options.budget ?? { toolCalls: 900, effects: 900, turns: 900, handoffs: 900 },
    ...options.grant,
  };
  const { policy } = options;
  const start = { key: "run", grant, ...(policy === undefined ? {} : { policy }) };
  const run = await open().start(desk, {}, start);
  const events = (of = run) => stores.log.read(of, 1);
  const children = async (of = run): Promise<string[]> =>
    (await events(of)).flatMap((event) =>
      isClaimOf("handoff", event) ? [event.content.child] : [],
    );
  const readTree = async (of: string): Promise<string[]> => {
    const below: string[] = [];
    for (const child of await children(of)) below.push(...(await readTree(child)));
    return [of, ...below];
  };
  return {
    ...{ run, stores, paid, open, events, children },
    drive: async (see) => {
      const { dues, projection } = await open(see).drive(run);
      return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
    },
    stopOf: async (of) => (await open().show(of))?.stopped,
    output: async () => {
      const outcome = await open().resume(desk, run);
      return outcome.status === "completed" ? outcome.output : outcome.status;
    },
    judge: async () => {
      const replays: string[] = [];
      const whole = [];
      for (const one of await readTree(run)) {
        const receipts = (await stores.receipts.list(one, 1)).map(({ envelope }) =>
          canonicalize(envelope),
        );
        whole.push({ run: one, events: await events(one), receipts });
        for await (const { replayed } of open().replay(one))
          replays.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      }
      const verdict = await verifyTree(whole, { keys });
      const findings = [...verdict.runs.flatMap((one) => one.findings), ...verdict.set.findings];
      return { codes: findings.map(({ code }) => code), runs: whole.length, replays };
    },
  };
}

/** A call that hands a payment to a run of its own. */
const hand: LoopDef = {
  ...{ id: "hand", name: "hand", version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "tool",
  tool: {
    implementation: "turnseal.handoff",
    config: {
      loop: "pay",
      grant: {
        tools: ["local.pay"],
        budget: { toolCalls: 1, effects: 1, handoffs: 0, turns: 1 },
      },
    },
  },
};

function createLoops(
  flow: FlowNode,
  paid: JsonValue[],
  {
    act = (at: JsonValue) => at,
    inner = {},
    effect = "idempotent",
    clock,
  }: SpreadDeskOptions & { readonly clock: ManualClock },
): Loop<JsonValue, JsonValue> {
  const done = new Set<string>();
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect, build: "test" },
    input: jsonSchema<{ readonly at: JsonValue }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: ({ at }, { key }) => {
      const result = act(at, clock);
      if (!done.has(key)) paid.push(at);
      done.add(key);
      return result;
    },
  });
  const composite = (id: string, node: FlowNode): LoopDef => ({
    ...{ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "composite",
    composite: { flow: node },
  });
  const uses: Loop<JsonValue, JsonValue>[] = [
    pay as unknown as Loop<JsonValue, JsonValue>,
    { definition: hand, uses: [] },
  ];
  for (const [id, node] of Object.entries(inner))
    uses.push({ definition: composite(id, node), uses: [...uses] });
  return { definition: composite("desk", flow), uses };
}
