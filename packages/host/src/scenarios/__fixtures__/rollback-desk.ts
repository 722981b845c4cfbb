/** A desk with reversible actions, for tests: each step by a new process. */
import {
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type Roots,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  type Amounts,
  canonicalize,
  compilePlan,
  type Effect,
  type Grant,
  type JsonValue,
  type LoopDef,
  type LoopEvent,
  type PlanDocument,
  type Policy,
} from "@turnseal/protocol";
import {
  type Compensation,
  defineTool,
  jsonSchema,
  type Loop,
  planStarter,
  type RollbackCause,
  type ToolArtifacts,
} from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { collectRun } from "../../read/run/collect-run.ts";
import { type RollbackProgress, readRollbackProgress } from "../../undo/find/rollback-chain.ts";

const signer = await createMemorySigner();
const keys: PublicKey[] = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];

interface Given {
  readonly at: string;
}
interface Put {
  readonly put: string;
  readonly pad?: string;
}
type Way = Compensation<Given, Put>;

export interface RollbackDeskOptions {
  /** The key that its run is started with. */
  readonly key?: string;
  /** The desk whose stores it shares. */
  readonly beside?: Pick<RollbackDesk, "stores" | "clock">;
  /** The steps of the plan; ten unless given. */
  readonly steps?: readonly string[];
  /** True if they are items of one loop, which are not asked for: as many as there are. */
  readonly isList?: boolean;
  /** How many of such items are done at once; one unless given. */
  readonly atOnce?: number;
  /** How long what an action gives is, beside what it did. */
  readonly pad?: (at: string) => number;
  readonly act?: (at: string) => void;
  readonly undo?: (at: string) => void;
  readonly way?: Omit<Partial<Way>, "run">;
  readonly effect?: Effect;
  readonly policy?: Policy;
  /** The causes of its plan's automatic rollback. */
  readonly rollbackOn?: readonly RollbackCause[];
  readonly grant?: Partial<Grant>;
  /** Steps of a final tool, and of one without a declaration. */
  readonly final?: readonly string[];
  readonly silent?: readonly string[];
  /** The reason why the final steps are irreversible. */
  readonly reason?: string;
  /** Steps that are handed to a run of their own. */
  readonly handed?: readonly string[];
  /** Steps of a tool that changes files of a root: one of its own, and a shared one. */
  readonly edited?: readonly string[];
  readonly roots?: Roots;
  /** Replaces the usual edit of such a tool. */
  readonly edit?: (artifacts: ToolArtifacts, at: string) => Promise<void>;
  /** Overrides of the budget of such a run. */
  readonly slice?: Amounts;
}

export interface RollbackDesk {
  readonly run: string;
  readonly stores: Stores;
  readonly clock: ManualClock;
  /** The state of the world, and the undone actions, in order. */
  readonly world: Set<string>;
  readonly undone: string[];
  open(see?: (stores: Stores) => Stores): LocalHost;
  /**
   * A new process continues a run and those that it hands to, and returns how it stopped or waits.
   */
  drive(run: string, see?: (stores: Stores) => Stores): Promise<string>;
  approve(run: string, choice?: "approve" | "reject"): Promise<unknown>;
  /** Answers for a person about each action that was not taken back. */
  answerRest(run: string, rest: string): Promise<unknown>;
  progress(run: string): Promise<RollbackProgress | undefined>;
  /** Carries out the plan of the desk. */
  work(): Promise<string>;
  events(run: string): Promise<readonly LoopEvent[]>;
  judge(run: string): Promise<{ readonly codes: string[]; readonly replays: string[] }>;
}

export const TEN: readonly string[] = Array.from({ length: 10 }, (_, index) => `step${index + 1}`);

export async function openRollbackDesk(options: RollbackDeskOptions = {}): Promise<RollbackDesk> {
  const { steps = TEN } = options;
  const clock = options.beside?.clock ?? manualClock();
  const stores = options.beside?.stores ?? memoryStores(clock);
  const world = new Set<string>();
  const undone: string[] = [];
  const { work, finalTool, silentTool, hand } = makeTools(options, { world, undone });
  const edit = makeEdit(options);
  const plan = planOf(options);
  const { isList = false, atOnce = 1 } = options;
  const listLoop = listOf(atOnce);
  const definition = isList ? listLoop : compilePlan(plan);
  const loop = { definition, uses: [planStarter, work, finalTool, silentTool, edit] };
  const { roots = {} } = options;
  const bound = { signer, clock, ids: seededIds("desk"), roots };
  const open = (see: (stores: Stores) => Stores = (same) => same): LocalHost =>
    createLocalHost({
      loops: [work, finalTool, silentTool, edit, hand, planStarter, { definition: listLoop }],
      ...{ stores: see(stores), ...bound },
    });
  const starter = createLocalHost({ loops: [loop, hand], stores, ...bound });
  const tools = ["local.work", "local.final", "local.silent", "local.edit"];
  tools.push("turnseal.handoff", "turnseal.plan");
  const run = await starter.start(loop, (isList ? { items: steps } : plan) as never, {
    ...{ key: options.key ?? "run", by: "ada", bounds: { turnsMax: 1 } },
    grant: {
      ...{ grantor: "ada", tools, handoffs: ["work"] },
      budget: { toolCalls: 90, effects: 90, turns: 20, handoffs: 20 },
      ...options.grant,
    },
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  });
  const drive: RollbackDesk["drive"] = async (of, see) => {
    const { dues, projection } = await open(see).drive(of);
    return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
  };
  const approve: RollbackDesk["approve"] = async (of, choice = "approve") => {
    const host = open();
    const [request] = await host.requests(of);
    return host.decide(of, request?.id ?? "", { choice, by: { id: "bea", roles: [] } });
  };
  const answerRest: RollbackDesk["answerRest"] = async (of, rest) => {
    const host = open();
    const [request] = await host.requests(of);
    return host.answer(of, request?.id ?? "", { answer: { rest }, by: { id: "bea", roles: [] } });
  };
  const progress: RollbackDesk["progress"] = async (of) =>
    readRollbackProgress(stores, await open().show(of));
  const events = (of: string) => stores.log.read(of, 1);
  return {
    ...{ run, stores, clock, world, undone, open, drive, approve, answerRest, progress, events },
    work: async () => {
      const end = await drive(run);
      if (isList) return end;
      await approve(run);
      return drive(run);
    },
    judge: async (of) => {
      const { findings } = await verifyRun(await collectRun(stores, of), { keys });
      const replays: string[] = [];
      for await (const { replayed } of open().replay(of))
        replays.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      return { codes: findings.map(({ code }) => code), replays };
    },
  };
}

/** One step after the other. */
function planOf(options: RollbackDeskOptions): PlanDocument {
  const { steps = TEN, final = [], silent = [], handed = [], edited = [] } = options;
  const loopOf = (at: string): string => {
    if (final.includes(at)) return "final";
    if (silent.includes(at)) return "silent";
    if (edited.includes(at)) return "edit";
    return handed.includes(at) ? "hand" : "work";
  };
  return {
    ...(options.rollbackOn === undefined ? {} : { rollbackOn: options.rollbackOn }),
    title: "ten steps",
    steps: steps.map((at, index) => ({
      ...{ id: at, loop: loopOf(at), input: { at } },
      ...(index === 0 ? {} : { after: [steps[index - 1] ?? ""] }),
    })),
  };
}

/** Does as many at once. */
const listOf = (concurrency: number): LoopDef => ({
  ...{ id: "list", name: "list", version: "1.0.0", kind: "composite" },
  ...{ inputSchema: { type: "object" }, outputSchema: true },
  composite: {
    flow: {
      ...{ kind: "forEach", items: "$.input.items", max: 256, concurrency },
      body: { kind: "call", loopId: "work", inputMapping: { at: "$.item" } },
    },
  },
});

/** Makes the tools of the desk: reversible, final, without a declaration, and handed on. */
function makeTools(
  options: RollbackDeskOptions,
  { world, undone }: Pick<RollbackDesk, "world" | "undone">,
) {
  const { act = () => {}, undo = () => {}, effect = "idempotent", way = {} } = options;
  const keysSeen = new Set<string>();
  const put = (at: string, key: string): Put => {
    act(at);
    if (!keysSeen.has(key)) world.add(at);
    keysSeen.add(key);
    const length = options.pad?.(at);
    return { put: at, ...(length === undefined ? {} : { pad: "x".repeat(length) }) };
  };
  const common = {
    ...{ version: "1.0.0", build: "test", effect },
    input: jsonSchema<Given>({ type: "object" }),
    output: jsonSchema<Put>(true),
    run: ({ at }: Given, { key }: { readonly key: string }) => put(at, key),
  };
  const work = defineTool({
    ...common,
    id: "work",
    compensate: {
      ...{ effect: "idempotent", build: "undo-1", ...way },
      run: ({ put: at }, { key }) => {
        undo(at);
        if (keysSeen.has(key)) return;
        keysSeen.add(key);
        undone.push(at);
        world.delete(at);
      },
    },
  });
  const finalTool = defineTool({
    ...common,
    id: "final",
    irreversible: options.reason ?? "mail cannot be called back",
  });
  const silentTool = defineTool({ ...common, id: "silent" });
  const hand: Loop<Given, unknown> = {
    definition: {
      ...{ id: "hand", name: "hand", version: "1.0.0", kind: "tool" },
      ...{ inputSchema: true, outputSchema: true },
      tool: {
        implementation: "turnseal.handoff",
        config: {
          loop: "work",
          grant: {
            tools: ["local.work"],
            budget: { toolCalls: 2, effects: 1, turns: 1, handoffs: 0, ...options.slice },
          },
        },
      },
    },
  };
  return { work, finalTool, silentTool, hand };
}

/** A tool that changes files of the root `site`. */
function makeEdit({ edit, act = () => {} }: RollbackDeskOptions): Loop<Given, Put> {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  return defineTool({
    ...{ id: "edit", version: "1.0.0", build: "test", effect: "idempotent" },
    artifacts: { root: "site" },
    input: jsonSchema<Given>({ type: "object" }),
    output: jsonSchema<Put>(true),
    run: async ({ at }, { artifacts }) => {
      if (edit === undefined) {
        await artifacts.write(`${at}.txt`, bytesOf(at));
        await artifacts.write("shared.txt", bytesOf(`by ${at}`));
      } else await edit(artifacts, at);
      act(at);
      return { put: at };
    },
  });
}

/** The claims of a run that take something back, as `turn key`, with how they ended. */
export function listTakenBack(events: readonly LoopEvent[]): JsonValue[] {
  return events.flatMap((event) => {
    if (event.type !== "action.claimed" || event.content.action !== "tool") return [];
    const { takesBack } = event.content;
    return takesBack === undefined ? [] : [JSON.parse(canonicalize({ ...takesBack }))];
  });
}
