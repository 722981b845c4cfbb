// Tables: several participants at one topic, each slot a run of its own, through a real host.
import {
  type Model,
  manualClock,
  memoryStores,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  type Grant,
  isClaimOf,
  type JsonValue,
  type ModelMessage,
} from "@turnseal/protocol";
import {
  defineComposite,
  definePrompt,
  defineTable,
  defineTool,
  jsonSchema,
  type Loop,
  type TableMode,
} from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer, signingKey } from "../__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);

interface Slot {
  readonly topic: JsonValue;
  readonly said: JsonValue;
}
const slot = jsonSchema<Slot>({ type: "object", required: ["topic", "said"] });

type Reply = (name: string, said: JsonValue, nth: number) => JsonValue;

interface Setting {
  readonly mode: TableMode;
  readonly names?: readonly string[];
  readonly rounds?: number;
  readonly until?: string;
  readonly reply?: Reply;
  readonly grant?: Partial<Grant>;
}

async function readRun(stores: Stores, run: string) {
  const events = await stores.log.read(run, 1);
  const stored = await stores.receipts.list(run, 1);
  return { run, events, receipts: stored.map(({ envelope }) => canonicalize(envelope)) };
}

/** Every run of a family, parents first. */
async function readTree(
  stores: Stores,
  root: string,
): Promise<Awaited<ReturnType<typeof readRun>>[]> {
  const bundle = await readRun(stores, root);
  const handed = bundle.events.filter((event) => isClaimOf("handoff", event));
  const below = await Promise.all(handed.map(({ content }) => readTree(stores, content.child)));
  return [bundle, ...below.flat()];
}

async function judge(stores: Stores, root: string): Promise<readonly string[]> {
  const tree = await readTree(stores, root);
  const { runs, set } = await verifyTree(tree, { keys: [signingKey] });
  return [...runs.flatMap(({ findings }) => findings), ...set.findings].map(({ code }) => code);
}

async function seat(setting: Setting) {
  const { mode, names = ["ada", "bea", "cem"], rounds, until, reply = (name) => name } = setting;
  const spoken: [string, JsonValue][] = [];
  const speak = (name: string): Loop<Slot, JsonValue> =>
    defineTool({
      ...{ id: name, version: "1.0.0", effect: "idempotent", build: "test" },
      ...{ input: slot, output: anything },
      run: ({ said }) => {
        spoken.push([name, said]);
        return reply(name, said, spoken.length);
      },
    });
  const table = defineTable({
    ...{ id: "table", version: "1.0.0", mode },
    ...(rounds === undefined ? {} : { rounds }),
    ...(until === undefined ? {} : { until }),
    participants: Object.fromEntries(
      names.map((name) => [
        name,
        { loop: speak(name), grant: { tools: [`local.${name}`], budget: { effects: 1 } } },
      ]),
    ),
  });
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [table], stores, signer, clock, ids: seededIds("table") },
  });
  const run = await host.start(table, "the topic", {
    key: "run",
    grant: {
      ...{ grantor: "ada", tools: names.map((name) => `local.${name}`), handoffs: [...names] },
      budget: { effects: 50 },
      ...setting.grant,
    },
    bounds: { turnsMax: 1 },
  });
  const { projection } = await host.drive(run);
  return { run, stores, spoken, stopped: projection?.stopped };
}

const order = (spoken: readonly [string, JsonValue][]): string[] => spoken.map(([name]) => name);

describe("the modes of a table", () => {
  test("round robin: in strict order, each told what the one before said", async () => {
    const { run, stores, spoken, stopped } = await seat({
      ...{ mode: "round-robin", rounds: 2 },
      reply: (name, _, nth) => `${name} ${nth}`,
    });
    expect(stopped).toBe("goal-reached");
    expect(spoken).toEqual([
      ["ada", null],
      ["bea", "ada 1"],
      ["cem", "bea 2"],
      ["ada", "cem 3"],
      ["bea", "ada 4"],
      ["cem", "bea 5"],
    ]);
    expect(await readTree(stores, run)).toHaveLength(7);
    expect(await judge(stores, run)).toEqual([]);
  });

  test("round robin: over before its last round, where what was said says so", async () => {
    const { spoken } = await seat({ mode: "round-robin", rounds: 9, until: 'last == "cem"' });
    expect(order(spoken)).toEqual(["ada", "bea", "cem"]);
  });

  test("broadcast: all at once, and all of them are heard", async () => {
    const { run, stores, spoken, stopped } = await seat({ mode: "broadcast", rounds: 2 });
    expect(stopped).toBe("goal-reached");
    expect(order(spoken.slice(0, 3)).sort()).toEqual(["ada", "bea", "cem"]);
    expect(spoken.slice(0, 3).map(([, said]) => said)).toEqual([null, null, null]);
    const all = ["ada", "bea", "cem"];
    expect(spoken.slice(3).map(([, said]) => said)).toEqual([all, all, all]);
    expect(await judge(stores, run)).toEqual([]);
  });

  test("pair: two alternate", async () => {
    const names = ["ada", "bea"];
    const { run, stores, spoken } = await seat({ mode: "pair", names, rounds: 3 });
    expect(order(spoken)).toEqual(["ada", "bea", "ada", "bea", "ada", "bea"]);
    expect(await judge(stores, run)).toEqual([]);
  });

  test("orchestrated: the first says whose slot is next, until it names nobody", async () => {
    const plan = ["cem", "bea", null];
    let dispatched = 0;
    const { run, stores, spoken, stopped } = await seat({
      ...{ mode: "orchestrated", rounds: 9 },
      reply: (name, said) => {
        if (name !== "ada") return `${name} did ${String(said)}`;
        const to = plan[dispatched++] ?? null;
        return { to, say: `task ${dispatched}` };
      },
    });
    expect(stopped).toBe("goal-reached");
    expect(spoken).toEqual([
      ["ada", null],
      ["cem", "task 1"],
      ["ada", "cem did task 1"],
      ["bea", "task 2"],
      ["ada", "bea did task 2"],
    ]);
    expect(await judge(stores, run)).toEqual([]);
  });

  test("swarm: each hands to any other, and it ends when none does", async () => {
    const next: Readonly<Record<number, string | null>> = { 1: "cem", 2: "bea", 3: "cem", 4: null };
    const { run, stores, spoken, stopped } = await seat({
      ...{ mode: "swarm", rounds: 9 },
      reply: (name, _, nth) => ({ to: next[nth] ?? null, say: `${name} ${nth}` }),
    });
    expect(stopped).toBe("goal-reached");
    expect(spoken).toEqual([
      ["ada", null],
      ["cem", "ada 1"],
      ["bea", "cem 2"],
      ["cem", "bea 3"],
    ]);
    expect(await judge(stores, run)).toEqual([]);
  });

  test("swarm: it ends at its bound, though somebody would hand on", async () => {
    const { run, stores, spoken, stopped } = await seat({
      ...{ mode: "swarm", rounds: 4 },
      reply: (name) => ({ to: name === "ada" ? "bea" : "ada", say: null }),
    });
    expect(stopped).toBe("goal-reached");
    expect(order(spoken)).toEqual(["ada", "bea", "ada", "bea"]);
    expect(await judge(stores, run)).toEqual([]);
  });

  test.each([["ada"], ["eve"], [null]])("swarm: handing to %s hands to nobody", async (to) => {
    const { spoken, stopped } = await seat({
      ...{ mode: "swarm", rounds: 9 },
      reply: () => ({ to, say: null }),
    });
    expect([stopped, ...order(spoken)]).toEqual(["goal-reached", "ada"]);
  });

  test("a swarm fails where a participant does not say whose slot is next", async () => {
    const { spoken, stopped, run, stores } = await seat({ mode: "swarm", rounds: 9 });
    expect([stopped, ...order(spoken)]).toEqual(["failed", "ada"]);
    expect(await judge(stores, run)).toEqual([]);
  });
});

test("each slot has a thread of its own: nobody is shown what was said to another", async () => {
  const sent: (readonly ModelMessage[])[] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: async (request) => {
      sent.push(request.messages);
      return scriptedModel([{ text: '{"words":"mine"}' }]).generate(request);
    },
  };
  const talk = (id: string) =>
    definePrompt({
      ...{
        id,
        version: "1.0.0",
        backend: { id: "scripted" },
        system: `You are ${id}, and know ${id}-secret.`,
      },
      ...{ input: slot, output: jsonSchema<JsonValue>({ type: "object" }) },
      template: "{{topic}}: {{said}}",
    });
  const grant = { tools: [], budget: { modelCalls: 1 } };
  const table = defineTable({
    ...{ id: "talk", version: "1.0.0", mode: "pair", rounds: 2 },
    participants: { ada: { loop: talk("ada"), grant }, bea: { loop: talk("bea"), grant } },
  });
  const [clock, models] = [manualClock(), { scripted: model }];
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [table], stores, signer, clock, ids: seededIds("talk"), models },
  });
  const run = await host.start(table, "rain", {
    key: "run",
    grant: {
      ...{ grantor: "ada", tools: [], handoffs: ["ada", "bea"] },
      budget: { modelCalls: 9 },
    },
    bounds: { turnsMax: 1 },
  });
  await host.drive(run);
  expect(sent).toHaveLength(4);
  expect(sent.map((messages) => messages.filter(({ role }) => role === "user").length)).toEqual([
    1, 1, 1, 1,
  ]);
  sent.forEach((messages, index) => {
    const other = index % 2 === 0 ? "bea" : "ada";
    expect(JSON.stringify(messages)).not.toContain(`${other}-secret`);
  });
  expect(await judge(stores, run)).toEqual([]);
});

describe("no participant acts beyond its grant", () => {
  /** A table of two, of which eve tries actions that are not hers. */
  async function attack(
    eve: (pay: Loop<JsonValue, JsonValue>) => Loop<never, unknown>,
    given: {
      readonly tools?: readonly string[];
      readonly budget?: Readonly<Record<string, number>>;
      readonly table?: Partial<Grant>;
      readonly mode?: TableMode;
    } = {},
  ) {
    const paid: JsonValue[] = [];
    const pay = defineTool({
      ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "test" },
      ...{ input: anything, output: anything },
      run: (input) => {
        paid.push(input);
        return null;
      },
    });
    const payer = defineComposite({
      ...{ id: "payer", version: "1.0.0", input: slot, output: anything },
      steps: (steps) => steps.call("paid", pay, ({ input }) => ({ to: input.topic }) as never),
    });
    const mine = { tools: ["local.pay"], budget: { effects: 1 } };
    const { tools = [], budget = { effects: 5 }, mode = "pair" } = given;
    const table = defineTable({
      ...{ id: "desk", version: "1.0.0", mode },
      participants: {
        payer: { loop: payer, grant: mine },
        eve: { loop: eve(pay), grant: { tools, budget } },
      },
    });
    const clock = manualClock();
    const stores = memoryStores(clock);
    const host = createLocalHost({
      ...{ loops: [table, pay], stores, signer, clock, ids: seededIds("attack") },
    });
    const run = await host.start(table, "bea", {
      key: "run",
      grant: {
        ...{ grantor: "ada", tools: ["local.pay"], handoffs: ["payer", "eve"] },
        budget: { effects: 9 },
        ...given.table,
      },
      bounds: { turnsMax: 1 },
    });
    const { projection } = await host.drive(run);
    return { paid: paid.length, stopped: projection?.stopped, found: await judge(stores, run) };
  }
  const times = (count: number) => (pay: Loop<JsonValue, JsonValue>) =>
    defineComposite({
      ...{ id: "eve", version: "1.0.0", input: slot, output: anything },
      steps: (steps) => {
        let all = steps.call("p0" as never, pay, () => ({ to: "eve" }) as never);
        for (let index = 1; index < count; index++)
          all = all.call(`p${index}` as never, pay, () => ({ to: "eve" }) as never) as never;
        return all as never;
      },
    });
  const handing = (loop: string) => () =>
    ({
      definition: {
        ...{ id: "eve", name: "eve", version: "1.0.0", inputSchema: true, outputSchema: true },
        ...{ kind: "tool" },
        tool: {
          implementation: "turnseal.handoff",
          config: { loop, grant: { tools: ["local.pay"], budget: { effects: 1 } } },
        },
      },
    }) as Loop<never, unknown>;

  test.each<readonly [string, Parameters<typeof attack>, number]>([
    ["the tool of another participant", [times(1)], 1],
    ["more than its budget", [times(3), { tools: ["local.pay"], budget: { effects: 1 } }], 2],
    ["a tool that the table has not", [times(1), { tools: ["local.rob"] }], 1],
    ["more than the table has", [times(1), { tools: ["local.pay"], budget: { effects: 99 } }], 1],
    ["a run of another participant's loop", [handing("payer"), { tools: ["local.pay"] }], 1],
    ["a run of its own loop", [handing("eve"), { tools: ["local.pay"] }], 1],
    ["a slot that nobody granted", [times(1), { table: { handoffs: ["payer"] } }], 1],
    ["the tool of another, beside it", [times(1), { mode: "broadcast" }], 1],
  ])("%s is not had", async (_, attempt, paid) => {
    const seen = await attack(...attempt);
    expect(seen).toMatchObject({ paid, found: [] });
    expect(seen.stopped).not.toBe("goal-reached");
  });

  test("what it is granted it may do", async () => {
    const seen = await attack(times(1), { tools: ["local.pay"] });
    expect(seen).toEqual({ paid: 2, stopped: "goal-reached", found: [] });
  });
});
