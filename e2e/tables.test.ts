// Tables on the durable host: the five modes, each slot a run that the engine carries.
import { scriptedModel } from "@turnseal/ports";
import { canonicalize, type Grant, isClaimOf, type JsonValue } from "@turnseal/protocol";
import {
  defineComposite,
  defineTable,
  defineTool,
  jsonSchema,
  type Loop,
  type TableMode,
} from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld } from "./durable-world.ts";

const anything = jsonSchema<JsonValue>(true);
const names = ["ada", "bea", "cem"];

interface Slot {
  readonly topic: string;
  readonly said: JsonValue;
}

/** Sentences by topic. A tool that is called again under its key adds none. */
const spoken = new Map<string, string[]>();
const keys = new Set<string>();

const speak = (name: string): Loop<Slot, JsonValue> =>
  defineTool({
    ...{ id: name, version: "1.0.0", effect: "idempotent", build: "test" },
    ...{ input: jsonSchema<Slot>({ type: "object" }), output: anything },
    run: ({ topic }, { key }) => {
      const said = spoken.get(topic) ?? [];
      if (!keys.has(key)) said.push(name);
      keys.add(key);
      spoken.set(topic, said);
      return reply(topic, said.length, name);
    },
  });
const speakers = new Map(names.map((name) => [name, speak(name)]));

/** The next speaker by the number of slots: ada, cem, bea, and then none. */
function reply(topic: string, nth: number, name: string): JsonValue {
  if (topic === "swarm") return { to: ["cem", "bea"][nth - 1] ?? null, say: name };
  if (topic === "endless") return { to: name === "ada" ? "bea" : "ada", say: name };
  if (topic === "orchestrated")
    return name === "ada" ? { to: nth === 1 ? "cem" : nth === 3 ? "bea" : null, say: name } : name;
  return name;
}

const seat = (
  id: string,
  mode: TableMode,
  rounds: number,
  of = names,
): Loop<JsonValue, JsonValue> =>
  defineTable({
    ...{ id, version: "1.0.0", mode, rounds },
    participants: Object.fromEntries(
      of.map((name) => {
        const grant = { tools: [`local.${name}`], budget: { effects: 1 } };
        return [name, { loop: speakers.get(name) as Loop<Slot, JsonValue>, grant }];
      }),
    ),
  });
/** A table of two, of which the second tries what is not its own. */
const attack = (
  id: string,
  loop: Loop<Slot, JsonValue>,
  own: Pick<Grant, "tools">,
): Loop<JsonValue, JsonValue> =>
  defineTable({
    ...{ id, version: "1.0.0", mode: "pair" },
    participants: {
      ada: {
        loop: speakers.get("ada") as Loop<Slot, JsonValue>,
        grant: { tools: ["local.ada"], budget: { effects: 1 } },
      },
      eve: { loop, grant: { ...own, budget: { effects: 1 } } },
    },
  });
const cem = speakers.get("cem") as Loop<Slot, JsonValue>;
const thrice = defineComposite({
  ...{ id: "thrice", version: "1.0.0", input: jsonSchema<Slot>({ type: "object" }) },
  output: anything,
  steps: (steps) =>
    steps
      .call("one", cem, ({ input }) => ({ topic: input.topic, said: input.said }))
      .call("two", cem, ({ input }) => ({ topic: input.topic, said: input.said }))
      .call("three", cem, ({ input }) => ({ topic: input.topic, said: input.said })),
});
/** Hands to the loop of the other, with what the other may. */
const thief: Loop<Slot, JsonValue> = {
  definition: {
    ...{ id: "thief", name: "thief", version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "tool",
    tool: {
      implementation: "turnseal.handoff",
      config: { loop: "ada", grant: { tools: ["local.ada"], budget: { effects: 1 } } },
    },
  },
};
const tables = {
  "round-robin": seat("in-turn", "round-robin", 2),
  broadcast: seat("all", "broadcast", 1),
  pair: seat("two", "pair", 2, ["ada", "bea"]),
  orchestrated: seat("led", "orchestrated", 9),
  swarm: seat("swarm", "swarm", 9),
  endless: seat("endless", "swarm", 4),
  greedy: attack("greedy", cem, { tools: ["local.bea"] }),
  robber: attack("robber", cem, { tools: ["local.rob"] }),
  spender: attack("spender", thrice, { tools: ["local.cem"] }),
  stealer: attack("stealer", thief, { tools: ["local.ada"] }),
} as const;
const grant: Grant = {
  ...{ grantor: "ada", tools: names.map((name) => `local.${name}`) },
  handoffs: [...names, "thrice", "thief"],
  budget: { effects: 20 },
};

let world: DurableWorld;
beforeAll(async () => {
  const models = { scripted: scriptedModel() };
  world = await openDurableWorld({ loops: Object.values(tables), models });
  await world.startWorker();
});
afterAll(() => world.close());

async function readTree(
  run: string,
): Promise<{ run: string; events: never; receipts: string[] }[]> {
  const events = await world.stores.log.read(run, 1);
  const stored = await world.stores.receipts.list(run, 1);
  const receipts = stored.map(({ envelope }) => canonicalize(envelope));
  const handed = events.filter((event) => isClaimOf("handoff", event));
  const below = await Promise.all(handed.map(({ content }) => readTree(content.child)));
  return [{ run, events: events as never, receipts }, ...below.flat()];
}

/** How it stopped, how many runs there were, and what is found in the tree. */
async function play(topic: keyof typeof tables) {
  const run = await world.host.start(tables[topic], topic, { grant, bounds: { turnsMax: 1 } });
  const stopped = await world.stoppedOf(run);
  const tree = await readTree(run);
  const key = {
    ...{ keyId: world.signer.keyId, x: world.signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  };
  const { runs, set } = await verifyTree(tree, { keys: [key] });
  const found = [...runs.flatMap(({ findings }) => findings), ...set.findings];
  return { stopped, runs: tree.length, found, said: spoken.get(topic) ?? [] };
}

test.each<readonly [keyof typeof tables, readonly string[]]>([
  ["round-robin", ["ada", "bea", "cem", "ada", "bea", "cem"]],
  ["pair", ["ada", "bea", "ada", "bea"]],
  ["orchestrated", ["ada", "cem", "ada", "bea", "ada"]],
  ["swarm", ["ada", "cem", "bea"]],
  ["endless", ["ada", "bea", "ada", "bea"]],
])("%s: the order is as stated, and the tree verifies", async (topic, said) => {
  expect(await play(topic)).toEqual({
    ...{ stopped: "goal-reached", runs: said.length + 1, found: [], said },
  });
});

test("broadcast: each has one slot, and the tree verifies", async () => {
  const { said, ...seen } = await play("broadcast");
  expect(seen).toEqual({ stopped: "goal-reached", runs: 4, found: [] });
  expect([...said].sort()).toEqual(names);
});

test.each<readonly [string, keyof typeof tables, readonly string[]]>([
  ["the tool of another participant", "greedy", ["ada"]],
  ["a tool that the table has not", "robber", ["ada"]],
  ["more than its budget", "spender", ["ada", "cem"]],
  ["a run of another participant's loop", "stealer", ["ada"]],
])("%s is not had, and the tree verifies", async (_, topic, done) => {
  const { stopped, found, said } = await play(topic);
  expect(stopped).not.toBe("goal-reached");
  expect({ found, said }).toEqual({ found: [], said: done });
});
