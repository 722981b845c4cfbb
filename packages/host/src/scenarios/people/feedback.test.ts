/** A person's message to a working agent reaches its next request (spec/lifecycle.md §8). */
import { ROUND_SIGNALS_MAX } from "@turnseal/kernel";
import {
  createMemorySigner,
  type Model,
  type ModelRequest,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import { canonicalize, type JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

const signer = await createMemorySigner();
const keys = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];
const grant = { grantor: "ada", tools: ["local.look"], budget: {} };

interface Agent {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly run: string;
  /** The texts of the user in each request, after the words of the prompt. */
  readonly shown: string[][];
  drive(): Promise<string>;
  output(): Promise<unknown>;
}

interface Sending {
  /** In which round, and while the model or the tool works. */
  readonly round: number;
  readonly during: "model" | "tool";
  readonly payloads: readonly JsonValue[];
  readonly name?: string;
}

/** All that a request says in the role of the user. */
function wordsOf({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
}

function agentWith(look: Loop<JsonValue, JsonValue>, maxRounds: number) {
  return definePrompt({
    ...{ id: "agent", version: "1.0.0", template: "Look around.", backend: { id: "eye" } },
    input: jsonSchema<JsonValue>({ type: "object" }),
    output: jsonSchema<{ readonly heard: number }>({ type: "object" }),
    ...{ tools: [look], maxRounds, feedback: "feedback" },
  });
}

/** It looks twice, and then answers with the number of messages that it got. */
async function openAgent(sending: Sending, maxRounds = 6): Promise<Agent> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const shown: string[][] = [];
  let [run, looks] = ["", 0];
  const send = async (host: LocalHost): Promise<void> => {
    const { name = "feedback", payloads } = sending;
    for (const [index, payload] of payloads.entries())
      await host.signal(run, { name, payload, key: `word ${index}`, by: "ada" });
    // Others take it in while the action is in flight, and time goes on.
    for (let turns = 0; turns < 50; turns++) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const model: Model = {
    defaultModel: "eye",
    generate: async (request) => {
      const users = wordsOf(request);
      const answers = request.messages.filter(({ role }) => role === "assistant").length;
      shown[answers] = users.slice(1);
      if (sending.during === "model" && answers === sending.round) await send(host);
      clock.advance(10);
      const looked = request.messages.filter(({ role }) => role === "tool").length;
      return {
        content:
          looked < 2
            ? [
                {
                  kind: "tool-call",
                  toolCallId: `c${answers}`,
                  toolName: "local__look",
                  input: "{}",
                },
              ]
            : [{ kind: "text", text: `{"heard":${users.length - 1}}` }],
        finishReason: looked < 2 ? "tool-calls" : "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", effect: "read", build: "1" },
    input: jsonSchema<JsonValue>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: async () => {
      looks += 1;
      if (sending.during === "tool" && looks === sending.round + 1) await send(host);
      clock.advance(10);
      return { looks };
    },
  });
  const agent = agentWith(look, maxRounds);
  const open = (): LocalHost =>
    createLocalHost({
      ...{ loops: [agent], models: { eye: model }, stores, signer, clock },
      ids: seededIds("agent"),
    });
  const host = open();
  run = await host.start(agent, {}, { key: "run", grant });
  return {
    ...{ host, stores, run, shown },
    drive: async () => {
      const { dues, projection } = await open().drive(run);
      return projection?.stopped ?? dues.kind;
    },
    output: () => open().readOutput(agent, run),
  };
}

async function expectSound({ host, stores, run }: Agent): Promise<void> {
  const events = await stores.log.read(run, 1);
  const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  const { findings } = await verifyRun({ run, events, receipts }, { keys });
  expect(findings).toEqual([]);
  for await (const { replayed } of host.replay(run)) expect(replayed.kind).toBe("identical");
}

test.each(["model", "tool"] as const)(
  "what comes while a %s works is shown next, once",
  async (during) => {
    const agent = await openAgent({ round: 0, during, payloads: ["smaller, please"] });
    expect(await agent.drive()).toBe("goal-reached");
    expect(agent.shown).toEqual([[], ["smaller, please"], ["smaller, please"]]);
    expect(await agent.output()).toEqual({ heard: 1 });
    await expectSound(agent);
  },
);

test("texts, messages and other values are shown in the order in which they came", async () => {
  const payloads = ["one", { text: "two" }, { three: 3 }];
  const agent = await openAgent({ round: 1, during: "tool", payloads });
  expect(await agent.drive()).toBe("goal-reached");
  expect(agent.shown).toEqual([[], [], ["one", "two", '{"three":3}']]);
});

test("what comes while it answers makes another round", async () => {
  const agent = await openAgent({ round: 2, during: "model", payloads: ["wait"] });
  expect(await agent.drive()).toBe("goal-reached");
  expect(agent.shown).toEqual([[], [], [], ["wait"]]);
  expect(await agent.output()).toEqual({ heard: 1 });
  await expectSound(agent);
});

test("where no round is left the output is what it is", async () => {
  const agent = await openAgent({ round: 2, during: "model", payloads: ["wait"] }, 3);
  expect(await agent.drive()).toBe("goal-reached");
  expect(await agent.output()).toEqual({ heard: 0 });
  await expectSound(agent);
});

test("no more than ROUND_SIGNALS_MAX are shown at once, and the others next", async () => {
  const payloads = Array.from({ length: ROUND_SIGNALS_MAX + 1 }, (_, index) => `word ${index}`);
  const agent = await openAgent({ round: 0, during: "tool", payloads });
  expect(await agent.drive()).toBe("goal-reached");
  expect(agent.shown).toEqual([[], payloads.slice(0, ROUND_SIGNALS_MAX), payloads]);
  await expectSound(agent);
});

test("a signal of another name is none of its business", async () => {
  const agent = await openAgent({ round: 0, during: "tool", payloads: ["x"], name: "other" });
  expect(await agent.drive()).toBe("goal-reached");
  expect(await agent.output()).toEqual({ heard: 0 });
});

test("a worker that dies at any append leaves the same to be shown", async () => {
  let isOver = false;
  for (let place = 1; !isOver; place++) {
    const agent = await openAgent({ round: 0, during: "tool", payloads: ["smaller, please"] });
    const { log } = agent.stores;
    const real = log.append.bind(log);
    let calls = 0;
    log.append = async (...given) => {
      calls += 1;
      if (calls === place) throw new Error("crash");
      return real(...given);
    };
    await agent.drive().catch((error: unknown) => expect(String(error)).toContain("crash"));
    isOver = calls < place;
    expect(await agent.drive(), `append ${place}`).toBe("goal-reached");
    for (const words of agent.shown) expect(words.length, `append ${place}`).toBeLessThanOrEqual(1);
    expect(await agent.output(), `append ${place}`).toEqual({ heard: 1 });
    await expectSound(agent);
  }
});
