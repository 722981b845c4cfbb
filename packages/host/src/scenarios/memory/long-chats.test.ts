/**
 * Chats as a product has them. They have many messages, rejections, messages that do not fit, words
 * beside an open approval, and an agent that is edited while its processes come and go.
 */
import { type Model, memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { readSession } from "../../read/session/read-session.ts";
import { findFaults, signer } from "../__fixtures__/refund-desk.ts";

const CHATS = 3;
const STEPS = 60;
const policy: Policy = {
  name: "desk",
  rules: [{ id: "pay", decision: "ask", tools: ["local.pay"] }],
};
const grant = { grantor: "shop", tools: ["local.pay"], budget: {} };
const bounds = { awaits: ["message"], nextInput: { text: "$.signals.message.text" } };
const by = { id: "ada", roles: [] };
interface Said {
  readonly text: string;
}

/** The same numbers for the same seed. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** It answers from what it is sent: who it is, and how many messages it has seen, and the last. */
const clerk: Model = {
  defaultModel: "clerk-1",
  generate: (request) => {
    const said = request.messages.flatMap((each) => (each.role === "user" ? [each.text] : []));
    const system = request.messages.find(({ role }) => role === "system") as Said | undefined;
    const last = request.messages.at(-1);
    const call = { toolCalls: [{ tool: "local__pay", input: { text: said.at(-1) } }] };
    const isPay = last?.role === "user" && last.text.startsWith("pay");
    const answer = `${system?.text} ${said.length} ${said.at(-1)}`;
    return scriptedModel([isPay ? (call as never) : answer]).generate(request);
  },
};

function openShop() {
  const stores = memoryStores(systemClock);
  const paid: string[] = [];
  let edition = 0;
  /** Another process, with the agent as it is edited by now. */
  const restart = (isEdited: boolean) => {
    if (isEdited) edition += 1;
    const pay = defineTool({
      ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
      description: `Pays, edition ${edition}`,
      input: jsonSchema<Said>({ type: "object" }),
      output: jsonSchema<object>(true),
      run: ({ text }) => {
        paid.push(text);
        return {};
      },
    });
    const inputSchema = { type: "object", properties: { text: { type: "string" } } };
    const agent = definePrompt({
      ...{ id: "agent", version: "1.0.0", system: `e${edition}`, tools: [pay] },
      input: jsonSchema<Said>({ ...inputSchema, required: ["text"] }),
      output: jsonSchema<Said>({ type: "object" }),
      template: "{{text}}",
      backend: { id: "clerk" },
    });
    const host = createLocalHost({ loops: [pay, agent], stores, signer, models: { clerk } });
    return { host, agent, edition };
  };
  return { stores, paid, restart };
}

interface Chat {
  readonly run: string;
  /** The edition that it began with. */
  readonly edition: number;
  readonly said: string[];
}

/** The first word on a request counts, also where nobody has read it yet. */
function createPerson() {
  const words = new Map<string, "approve" | "reject">();
  return {
    decide: async (host: LocalHost, { run }: Chat, choice: "approve" | "reject") => {
      for (const { id } of await host.requests(run)) {
        if (words.has(id)) continue;
        words.set(id, choice);
        await host.decide(run, id, { choice, by });
      }
    },
    count: (choice: "approve" | "reject") =>
      [...words.values()].filter((word) => word === choice).length,
  };
}

test.each([1, 2, 3, 4])(
  "every chat of seed %i is alive in the end, and says what was said",
  async (seed) => {
    const dice = createDice(seed);
    const { stores, paid, restart } = openShop();
    const [chats, person] = [[] as Chat[], createPerson()];
    let [shop, refused, edited] = [restart(false), 0, 0];
    for (let at = 0; at < CHATS; at++) {
      const text = `hello ${at}`;
      const run = await shop.host.start(shop.agent, { text }, { grant, bounds, policy });
      await shop.host.drive(run);
      chats.push({ run, edition: shop.edition, said: [text] });
      shop = restart(true);
    }
    for (let step = 0; step < STEPS * CHATS; step++) {
      const chat = chats[dice(CHATS)];
      if (chat === undefined) throw new Error("no chat");
      const tell = (payload: unknown) =>
        shop.host.signal(chat.run, {
          ...{ name: "message", payload: payload as never, by: "ada", key: `${seed} ${step}` },
        });
      switch (dice(8)) {
        case 0:
          await expect(
            tell([null, "text", { words: "x" }, { text: step }][dice(4)]),
          ).rejects.toThrow("does not fit");
          refused += 1;
          break;
        case 1:
          shop = restart(true);
          edited += 1;
          break;
        case 2:
          shop = restart(false);
          break;
        case 3:
        case 4:
          await person.decide(shop.host, chat, dice(2) === 0 ? "approve" : "reject");
          break;
        default: {
          const text = `${dice(4) === 0 ? "pay" : "say"} ${step}`;
          await tell({ text });
          chat.said.push(text);
        }
      }
      // Now and then no process drives it, and messages wait.
      if (dice(3) > 0) await shop.host.drive(chat.run);
    }
    for (const chat of chats) {
      for (;;) {
        await shop.host.drive(chat.run);
        if ((await shop.host.requests(chat.run)).length === 0) break;
        await person.decide(shop.host, chat, "approve");
      }
      const shown = await shop.host.show(chat.run);
      expect(shown).toMatchObject({ stopped: null, blocked: null, turns: chat.said.length });
      const session = await readSession(stores, chat.run, { limit: 1_000 });
      const envelopes = session?.envelopes ?? [];
      const told = (type: string) =>
        envelopes.flatMap((each) => (each.type === type ? [(each.content as Said).text] : []));
      expect(told("user-message")).toEqual(chat.said);
      expect(told("assistant-message")).toEqual(
        chat.said.map((text, index) => `e${chat.edition} ${index + 1} ${text}`),
      );
      expect(await findFaults(chat.run, stores)).toEqual([]);
      for await (const { replayed } of shop.host.replay(chat.run))
        expect(replayed.kind).toBe("identical");
    }
    expect(paid).toHaveLength(person.count("approve"));
    expect(Math.min(refused, edited, person.count("reject"), paid.length)).toBeGreaterThan(0);
  },
  60_000,
);
