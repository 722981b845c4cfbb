/** Runs in which agents call agents, think, fail and are stopped: what views show of them. */
import {
  contentsOf,
  createMemorySigner,
  manualClock,
  memoryStores,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import { type FlowNode, type JsonValue, nameAction } from "@turnseal/protocol";
import {
  defineComposite,
  definePrompt,
  defineTool,
  jsonSchema,
  notDone,
} from "@turnseal/protocol/authoring";
import { createLocalHost } from "../local/local-host.ts";
import { openFanOutDesk, payAt } from "../scenarios/__fixtures__/fan-out-desk.ts";
import { interruptPayment } from "../scenarios/__fixtures__/interrupt-payment.ts";
import { openSpreadDesk, spread } from "../scenarios/__fixtures__/spread-desk.ts";
import { openWorld, RUN } from "../scenarios/sample-world.test.data.ts";
import { askFor, askToSave, openChat } from "./session/chat.test.data.ts";

/** A run that was carried, by a name for people. */
export interface Carried {
  readonly name: string;
  readonly run: string;
  readonly stores: Stores;
}

const signer = await createMemorySigner();
const anything = jsonSchema<JsonValue>(true);
const text = jsonSchema<{ text: string }>({ type: "object" });

/** An agent that calls another, a call answered from a cache, and a composite of steps. */
async function carryNested(): Promise<Carried> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", input: anything, output: anything, effect: "read" },
    run: () => ({ saw: true }),
  });
  const helper = definePrompt({
    ...{ id: "helper", version: "1.0.0", input: text, output: anything, template: "{{text}}" },
    policy: { cache: { strategy: "ephemeral" } },
  });
  const steps = defineComposite({
    ...{ id: "steps", version: "1.0.0", input: text, output: anything },
    steps: (all) => all.call("seen", look, ({ input }) => ({ text: input.text })),
  });
  const boss = definePrompt({
    ...{ id: "boss", version: "1.0.0", input: text, output: anything, template: "{{text}}" },
    ...{ tools: [helper, steps], maxRounds: 8 },
  });
  const help = askFor(["loop__helper", { text: "Help" }]);
  const replies: ScriptedReply[] = [
    ...[help, "I have helped", help, askFor(["loop__steps", { text: "Look" }])],
    askFor(["loop__nobody", {}]),
    {
      content: [
        { kind: "reasoning", text: "Is that all?" },
        { kind: "text", text: "Done" },
      ],
    },
  ];
  const host = createLocalHost({
    ...{ loops: [look, helper, steps, boss], stores, signer, clock, ids: seededIds("nested") },
    models: { scripted: scriptedModel(replies) },
  });
  const grant = { grantor: "ada", tools: ["local.look"], budget: {} };
  // A program has set it going, and not somebody who writes.
  const run = await host.start(boss, { text: "Go" }, { key: "one", grant, source: "webhook" });
  await host.advance(run);
  return { name: "an agent that calls others", run, stores };
}

/** A person edits the arguments of the save, so that it needs another approval. */
async function carryEdited(): Promise<Carried> {
  const replies = [askFor(["local__save", { it: 1 }]), "done", "again"];
  const bounds = {
    ...{ awaits: ["message"], turnsMax: 2 },
    nextInput: { text: "$.signals.message.words" },
  };
  const chat = openChat({ replies, policy: askToSave, bounds });
  const run = await chat.start();
  await chat.host.advance(run);
  const by = { id: "bea", roles: [] };
  const ask = async () => (await chat.host.requests(run))[0]?.id ?? "";
  await chat.host.decide(run, await ask(), { choice: "edit", arguments: { it: 2 }, by });
  await chat.host.advance(run);
  await chat.host.decide(run, await ask(), { choice: "approve", by });
  await chat.host.advance(run);
  await chat.host.signal(run, {
    ...{ name: "message", payload: { words: "more" }, by: "ada", key: "more" },
  });
  await chat.host.advance(run);
  return { name: "arguments that were edited", run, stores: chat.stores };
}

/** Two payments wait for an approval: the first wins, and the other is withdrawn. */
async function carryWithdrawn(): Promise<Carried> {
  const flow: FlowNode = {
    ...{ kind: "parallel", join: "any" },
    branches: [payAt("literal:a"), payAt("literal:b")],
  };
  const desk = await openFanOutDesk(flow);
  await desk.drive();
  await desk.approve("a");
  await desk.drive();
  return { name: "a branch that is withdrawn", run: desk.run, stores: desk.stores };
}

/** An unknown payment, until a person has looked. */
async function carryResolved(resolution: "happened" | "abandon"): Promise<Carried> {
  const { run, stores, clock, next } = await interruptPayment();
  await next().host.advance(run);
  clock.advance(60_000);
  const { host } = next();
  await host.advance(run);
  const claims = contentsOf(await stores.log.read(run, 1), "action.claimed");
  const key = claims.find(({ action }) => action === "tool")?.key ?? "";
  const result = resolution === "happened" ? { result: { paid: 5 } } : {};
  await host.resolve(run, { key, resolution, by: { id: "fin", roles: [] }, ...result });
  await host.advance(run);
  return { name: `a payment of which somebody says ${resolution}`, run, stores };
}

/** Stores of a process that ends when it has claimed something, such as a tool. */
export function endAtClaim(stores: Stores, name = ""): Stores {
  const append: Stores["log"]["append"] = async (given) => {
    const answer = await stores.log.append(given);
    const names = given.events.map((event) =>
      event.type === "action.claimed" ? nameAction(event.content) : undefined,
    );
    if (names.some((claimed) => claimed?.includes(name) === true))
      throw new Error("the process is gone");
    return answer;
  };
  return { ...stores, log: { ...stores.log, append } };
}

/** Every process of it ends with a question to its model in hand, until nobody tries any more. */
async function carryStalled(): Promise<Carried> {
  const given = { see: (stores: Stores) => endAtClaim(stores), bounds: { resumesMax: 2 } };
  let world = openWorld(given);
  await world.start();
  for (let process = 0; process < 6; process++) {
    await world.end().catch(() => "gone");
    world = openWorld({ ...given, after: world });
    world.clock.advance(3_600_000);
  }
  return { name: "a run that stalls", run: RUN, stores: world.stores };
}

/** A person is asked about a payment, and the run is stopped meanwhile. */
async function carryStopped(): Promise<Carried> {
  const { run, stores, drive, open } = await openFanOutDesk(payAt("literal:a"));
  await drive();
  await open().cancel(run, { key: "stop", by: "ada" });
  await drive();
  return { name: "a request that is over with its turn", run, stores };
}

/** Items that are runs, and fail. */
async function carrySpread(): Promise<Carried> {
  const act = (): never => {
    throw notDone("no");
  };
  const { run, stores, drive } = await openSpreadDesk(spread({ const: ["a", "b"] }), { act });
  await drive();
  return { name: "items that fail", run, stores };
}

/** Every one of them, in an order. */
export async function carryTalks(): Promise<readonly Carried[]> {
  return [
    await carryNested(),
    await carryEdited(),
    await carryWithdrawn(),
    await carryResolved("happened"),
    await carryResolved("abandon"),
    await carryStalled(),
    await carryStopped(),
    await carrySpread(),
  ];
}
