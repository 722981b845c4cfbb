/**
 * Valid runs, made by the kernel with seeded ids, a clock that is moved by hand, and the demo key.
 */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  type Append,
  type ManualClock,
  manualClock,
  memoryStores,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  type Effect,
  type Grant,
  type Policy,
  type RawEvent,
  type RunBounds,
  toRaw,
} from "@turnseal/protocol";
import {
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
  type Reconciliation,
  type ToolFunction,
} from "@turnseal/protocol/authoring";
import { createSeededSigner } from "./demo-signer.ts";
import type { MadeRun } from "./seal-events.ts";

export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly effect?: Effect;
  readonly act?: (world: ScenarioWorld) => ToolFunction<Order, Order>;
  readonly reconcile?: (key: string) => Reconciliation;
  /** With a script, a prompt is run that may ask for the tool. */
  readonly script?: readonly ScriptedReply[];
  /** What is run instead of the tool or the prompt. */
  readonly root?: Loop<never, unknown>;
  readonly policy?: Policy;
  /** Who starts the run. */
  readonly by?: string;
  readonly grant?: Partial<Grant>;
  readonly bounds?: Partial<RunBounds>;
  readonly input?: unknown;
  /** Ends the process once, instead of the append for which it answers true. */
  readonly crash?: (append: Append) => boolean;
  readonly play?: (world: ScenarioWorld) => Promise<void>;
}

export interface ScenarioWorld {
  readonly run: string;
  readonly clock: ManualClock;
  readonly host: LocalHost;
  /** A host of the same stores whose code is another. */
  readonly otherHost: LocalHost;
}

export interface Order {
  readonly count: number;
}

const order = jsonSchema<Order>({
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
});
const answer = jsonSchema<{ readonly text: string }>({ type: "object", required: ["text"] });

/** Plays a scenario and exports its run. */
export async function makeRun(scenario: Scenario): Promise<MadeRun> {
  const clock = manualClock();
  const stores = crashOnce(memoryStores(clock), scenario.crash);
  const world: { -readonly [Name in keyof ScenarioWorld]?: ScenarioWorld[Name] } = { clock };
  const host = createHost(scenario, "1", world as ScenarioWorld, stores);
  world.host = host.host;
  world.otherHost = createHost(scenario, "2", world as ScenarioWorld, stores).host;
  const run = await host.host.start(host.root, (scenario.input ?? { count: 0 }) as never, {
    grant: { grantor: "alice", tools: ["local.add"], budget: { toolCalls: 8 }, ...scenario.grant },
    bounds: { turnsMax: 4, failuresMax: 1, resumesMax: 5, ...scenario.bounds },
    key: scenario.name,
    ...(scenario.policy === undefined ? {} : { policy: scenario.policy }),
    ...(scenario.by === undefined ? {} : { by: scenario.by }),
  });
  world.run = run;
  await (scenario.play ?? drive)(world as ScenarioWorld);
  const events: RawEvent[] = [];
  for await (const event of host.host.events(run)) events.push(toRaw(event));
  const receipts = await stores.receipts.list(run, 1);
  return { run, events, receipts: receipts.map(({ envelope }) => canonicalize(envelope)) };
}

function createHost(
  scenario: Scenario,
  build: string,
  world: ScenarioWorld,
  stores: Stores,
): { readonly host: LocalHost; readonly root: Loop<never, unknown> } {
  const { effect = "idempotent", act, reconcile, script } = scenario;
  const add = defineTool({
    id: "add",
    version: "1.0.0",
    description: `build ${build}`,
    input: order,
    output: order,
    effect,
    build: `add-${build}`,
    ...(reconcile === undefined ? {} : { reconcile }),
    run: act?.(world) ?? (({ count }) => ({ count: count + 1 })),
  });
  const agent = definePrompt({
    id: "agent",
    version: "1.0.0",
    input: order,
    output: answer,
    template: "Add one to {{count}}.",
    tools: [add],
  });
  const host = createLocalHost({
    loops: [add, agent, ...(scenario.root === undefined ? [] : [scenario.root])],
    stores,
    signer: createSeededSigner(),
    clock: world.clock,
    ids: seededIds("vectors"),
    models: { scripted: scriptedModel([...(script ?? [])]) },
  });
  return { host, root: scenario.root ?? (script === undefined ? add : agent) };
}

/** The stores as they are after a crash: what the append would have written is not there. */
function crashOnce(stores: Stores, crash: Scenario["crash"] = () => false): Stores {
  let isArmed = true;
  const append: Stores["log"]["append"] = async (rows) => {
    if (!isArmed || !crash(rows)) return stores.log.append(rows);
    isArmed = false;
    throw new CrashError();
  };
  return { ...stores, log: { ...stores.log, append } };
}

class CrashError extends Error {}

/** Carries the run as far as it goes; a crash is followed by a resume. */
export async function drive({ run, host, clock }: ScenarioWorld, attempts = 20): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const { dues } = await host.advance(run);
      if (dues.kind === "done" || dues.kind === "wait" || dues.kind === "blocked") return;
      if (dues.kind === "wake") clock.advance(dues.atMs - clock.now());
    } catch (error) {
      if (!(error instanceof CrashError)) throw error;
      clock.advance(1_000);
    }
  }
}

/** True for the append that would settle an action of a kind. */
export function settles(kind: "tool" | "model"): (append: Append) => boolean {
  return ({ events }) =>
    events.some(({ type, content }) => type === "action.settled" && content.action === kind);
}
