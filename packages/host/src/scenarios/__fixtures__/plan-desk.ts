/** A desk that carries out plans, for tests: each step by a new process that knows no plan. */
import {
  type Clock,
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  compilePlan,
  type JsonValue,
  type LoopDef,
  type LoopEvent,
  type PlanDocument,
  type Policy,
} from "@turnseal/protocol";
import { defineTool, type GateAnswer, jsonSchema, planStarter } from "@turnseal/protocol/authoring";
import { type Finding, type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

const signer = await createMemorySigner();
export const keys: PublicKey[] = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];

export interface PlanDeskOptions {
  readonly policy?: Policy;
  readonly act?: (at: JsonValue, clock: ManualClock) => JsonValue;
  /** The tool's own gate. */
  readonly gate?: () => GateAnswer;
  /** The build of the tool that each process has. */
  readonly build?: () => string;
  /** The tool's declaration about undoing, in each process. */
  readonly wayBack?: () => WayBack;
  /** The clock as each process sees it. */
  readonly watch?: (clock: ManualClock) => Clock;
  readonly tools?: readonly string[];
  /** The loop that is started with the plan, if it is not the one built from it. */
  readonly made?: LoopDef;
  /** The stores as each process sees them. */
  readonly see?: (stores: Stores) => Stores;
}

/** For how long, or why not. */
export type WayBack = { readonly withinMs: number } | { readonly irreversible: string };

export interface PlanDesk {
  readonly run: string;
  readonly stores: Stores;
  readonly clock: ManualClock;
  readonly open: () => LocalHost;
  /** The actions, in order. */
  readonly done: JsonValue[];
  /** A new process goes on: what the run waits for, or why it stopped. */
  drive(): Promise<string>;
  decide(choice: "approve" | "reject", by?: string, roles?: readonly string[]): Promise<unknown>;
  events(): Promise<readonly LoopEvent[]>;
  /** The events about plans, as `type word`. */
  said(): Promise<string[]>;
  receipts(): Promise<string[]>;
  judge(): Promise<{ readonly findings: readonly Finding[]; readonly replays: string[] }>;
}

export async function openPlanDesk(
  plan: PlanDocument,
  options: PlanDeskOptions = {},
): Promise<PlanDesk> {
  const { act = (at: JsonValue) => at, see = (stores: Stores) => stores, policy } = options;
  const clock = manualClock();
  const stores = memoryStores(clock);
  const done: JsonValue[] = [];
  const keysSeen = new Set<string>();
  const { build = () => "test", watch = (seen: ManualClock): Clock => seen } = options;
  const install = () =>
    defineTool({
      ...{ id: "work", version: "1.0.0", effect: "idempotent", build: build() },
      ...declare(options),
      input: jsonSchema<{ readonly at: JsonValue }>({ type: "object" }),
      output: jsonSchema<JsonValue>(true),
      run: ({ at }, { key }) => {
        const result = act(at, clock);
        if (!keysSeen.has(key)) done.push(at);
        keysSeen.add(key);
        return result;
      },
    });
  const bound = { signer, clock: watch(clock), ids: seededIds("desk") };
  const definition = options.made ?? compilePlan(plan);
  const open = (seen = see(stores)) => {
    const work = install();
    const made = options.made === undefined ? [] : [{ definition, uses: [planStarter, work] }];
    return createLocalHost({ loops: [work, planStarter, ...made], stores: seen, ...bound });
  };
  const loop = { definition, uses: [planStarter, install()] };
  const starter = createLocalHost({ loops: [loop], stores, ...bound });
  const { tools = ["local.work", "turnseal.plan"] } = options;
  const run = await starter.start(loop, plan as never, {
    ...{ key: "run", by: "ada", bounds: { turnsMax: 1 } },
    grant: { grantor: "ada", tools: [...tools], budget: { toolCalls: 50, effects: 50 } },
    ...(policy === undefined ? {} : { policy }),
  });
  const events = () => stores.log.read(run, 1);
  const receipts = async (): Promise<string[]> => {
    const receipt = await stores.receipts.read(run, 1);
    return receipt === undefined ? [] : [canonicalize(receipt.envelope)];
  };
  return {
    ...{ run, stores, clock, open, done, events, receipts },
    drive: async () => {
      const { dues, projection } = await open().advance(run);
      return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
    },
    decide: async (choice, by = "bea", roles = []) => {
      const [request] = await open(stores).requests(run);
      const said = { choice, by: { id: by, roles: [...roles] } } as const;
      return open(stores).decide(run, request?.id ?? "", said);
    },
    said: async () =>
      (await events()).flatMap((event) => {
        if (event.type === "plan.proposed") return [`proposed ${event.content.steps.length}`];
        if (event.type === "plan.decided") return [`decided ${event.content.decision}`];
        return event.type === "plan.closed" ? [`closed ${event.content.status}`] : [];
      }),
    judge: async () => {
      const whole = { run, events: await events(), receipts: await receipts() };
      const { findings } = await verifyRun(whole, { keys });
      const replays: string[] = [];
      for await (const { replayed } of open(stores).replay(run))
        replays.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      return { findings, replays };
    },
  };
}

/** The tool's declarations in this process. */
function declare({ gate, wayBack }: PlanDeskOptions) {
  const back = wayBack?.();
  const undo = { effect: "idempotent", build: "undo", run: () => undefined } as const;
  return {
    ...(gate === undefined ? {} : { gate }),
    ...(back === undefined || "irreversible" in back ? back : { compensate: { ...undo, ...back } }),
  };
}
