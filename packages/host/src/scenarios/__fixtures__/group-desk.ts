/** A desk that does several things together, for tests: each step by a new process. */
import {
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import type { Effect, Grant, LoopEvent, Policy } from "@turnseal/protocol";
import {
  type Compensation,
  defineComposite,
  defineTool,
  jsonSchema,
  type Reconciliation,
  type RollbackCause,
} from "@turnseal/protocol/authoring";
import { type GroupRecord, type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { collectRun } from "../../read/run/collect-run.ts";

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
}

export interface GroupDeskOptions {
  /** The act of the members: a result, or an error. */
  readonly act?: (at: string) => unknown;
  readonly undo?: (at: string) => void;
  readonly effect?: Effect;
  readonly reconcile?: (key: string) => Promise<Reconciliation>;
  /** The members without a compensation. */
  readonly final?: readonly string[];
  readonly way?: Omit<Partial<Compensation<Given, Put>>, "run">;
  readonly policy?: Policy;
  readonly grant?: Partial<Grant>;
  readonly build?: string;
  /** The causes of its automatic rollback. */
  readonly rollbackOn?: readonly RollbackCause[];
}

export interface GroupDesk {
  readonly run: string;
  readonly stores: Stores;
  readonly clock: ManualClock;
  /** The state of the world; how often each was put there and taken away, in order. */
  readonly world: Set<string>;
  readonly done: string[];
  readonly undone: string[];
  open(see?: (stores: Stores) => Stores): LocalHost;
  /** A worker that has none of the loops. */
  openElsewhere(): LocalHost;
  drive(see?: (stores: Stores) => Stores): Promise<string>;
  approve(choice?: "approve" | "reject"): Promise<unknown>;
  answer(rest: string): Promise<unknown>;
  /** Answers every request to people, until the run stops. */
  finish(): Promise<string>;
  events(): Promise<readonly LoopEvent[]>;
  groups(): Promise<readonly GroupRecord[]>;
  judge(): Promise<{ readonly codes: string[]; readonly replays: string[] }>;
}

export const THREE = ["one", "two", "three"] as const;

export async function openGroupDesk(options: GroupDeskOptions = {}): Promise<GroupDesk> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const [world, done, undone] = [new Set<string>(), [] as string[], [] as string[]];
  const { loop } = makeLoops(options, { world, done, undone });
  const bound = { signer, clock, ids: seededIds("desk") };
  const open: GroupDesk["open"] = (see = (same) => same) =>
    createLocalHost({ loops: [loop], stores: see(stores), ...bound });
  const openElsewhere = () => createLocalHost({ loops: [], stores, ...bound });
  const tools = THREE.flatMap((at) => [`local.${at}`, `local.${at}.undo`]);
  const run = await open().start(loop, {} as never, {
    ...{ key: "run", by: "ada", bounds: { turnsMax: 1 } },
    grant: {
      ...{ grantor: "ada", tools: [...tools, "turnseal.group"] },
      budget: { toolCalls: 90, effects: 90, turns: 20 },
      ...options.grant,
    },
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  });
  const drive: GroupDesk["drive"] = async (see) => {
    const { dues, projection } = await open(see).advance(run);
    return dues.kind === "blocked" ? dues.why : (projection?.stopped ?? dues.kind);
  };
  const by = { id: "bea", roles: [] };
  const approve: GroupDesk["approve"] = async (choice = "approve") => {
    const host = open();
    const [request] = await host.requests(run);
    return host.decide(run, request?.id ?? "", { choice, by });
  };
  const answer: GroupDesk["answer"] = async (rest) => {
    const host = open();
    const [request] = await host.requests(run);
    return host.answer(run, request?.id ?? "", { answer: { rest }, by });
  };
  const events = () => stores.log.read(run, 1);
  const finish: GroupDesk["finish"] = async () => {
    for (let tries = 0; tries < 20; tries++) {
      const end = await drive();
      if (end !== "wait" && end !== "wake") return end;
      const [request] = await open().requests(run);
      const key = findUnknown(await events());
      if (request?.kind === "approval") await approve();
      else if (request?.kind === "question") await answer("stays");
      else if (key !== undefined) await open().resolve(run, { key, resolution: "abandon", by });
      else clock.advance(60_000);
    }
    return "endless";
  };
  return {
    ...{
      run,
      stores,
      clock,
      world,
      done,
      undone,
      open,
      openElsewhere,
      drive,
      approve,
      answer,
      finish,
    },
    events,
    groups: () => readGroupRecords(stores, run),
    judge: () => judgeRun(open(), stores, run),
  };
}

async function judgeRun(host: LocalHost, stores: Stores, run: string) {
  const { findings } = await verifyRun(await collectRun(stores, run), { keys });
  const replays: string[] = [];
  for await (const { replayed } of host.replay(run))
    replays.push(replayed.kind === "different" ? replayed.message : replayed.kind);
  return { codes: findings.map(({ code, message }) => `${code} ${message}`), replays };
}

async function readGroupRecords(stores: Stores, run: string): Promise<readonly GroupRecord[]> {
  const receipt = await stores.receipts.read(run, 1);
  const payload = Buffer.from(receipt?.envelope.payload ?? "", "base64").toString();
  return JSON.parse(payload).predicate.groups ?? [];
}

/** The key of an unknown action without a resolution. */
export function findUnknown(events: readonly LoopEvent[]): string | undefined {
  const said = new Set(
    events.flatMap((event) => (event.type === "action.resolved" ? [event.content.claim] : [])),
  );
  const unknown = events.find(
    (event) => event.type === "action.unknown" && !said.has(event.content.claim),
  );
  return unknown?.type === "action.unknown" ? unknown.content.key : undefined;
}

/** Three tools, and what does all they do or none of it. */
export function makeLoops(
  options: GroupDeskOptions,
  { world, done, undone }: Pick<GroupDesk, "world" | "done" | "undone">,
) {
  const { act = () => {}, undo = () => {}, final = [], way = {}, reconcile } = options;
  const { effect = "idempotent", build = "test" } = options;
  const keysSeen = new Set<string>();
  const make = (id: (typeof THREE)[number]) =>
    defineTool({
      ...{ id, version: "1.0.0", build, effect },
      ...(reconcile === undefined ? {} : { reconcile: (key: string) => reconcile(key) }),
      input: jsonSchema<Given>({ type: "object" }),
      output: jsonSchema<Put>({ type: "object", required: ["put"] }),
      run: async ({ at }: Given, { key }: { readonly key: string }) => {
        const said = await act(at);
        if (!keysSeen.has(key)) done.push(at);
        keysSeen.add(key);
        world.add(at);
        return (said ?? { put: at }) as Put;
      },
      ...(final.includes(id)
        ? {}
        : {
            compensate: {
              ...{ effect: "idempotent" as const, build: "undo-1", ...way },
              run: ({ put: at }: Put, { key }: { readonly key: string }) => {
                undo(at);
                if (keysSeen.has(key)) return;
                keysSeen.add(key);
                undone.push(at);
                world.delete(at);
              },
            },
          }),
    });
  const [one, two, three] = [make("one"), make("two"), make("three")];
  const loop = defineComposite({
    ...{ id: "together", version: "1.0.0" },
    ...(options.rollbackOn === undefined ? {} : { policy: { rollbackOn: options.rollbackOn } }),
    input: jsonSchema<Record<never, never>>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    flow: (flow) =>
      flow.group("all", (group) =>
        group
          .call("one", one, () => ({ at: "one" }))
          .call("two", two, () => ({ at: "two" }))
          .call("three", three, () => ({ at: "three" })),
      ),
  });
  return { loop, tools: [one, two, three] };
}
