// A provider, reached over HTTP, that is away in the middle of runs under an engine: each run waits
// for it by itself, goes on where it was, and does nothing twice.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdkModel } from "@turnseal/adapters/models";
import { canonicalize } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld } from "./durable-world.ts";

const RUNS = 6;
const PAYMENTS = 3;
const AWAY_MS = 5_000;

/** Asks for one payment after the other, and decides by the conversation alone. */
const server: Server = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const { messages } = JSON.parse(text) as { readonly messages: { readonly role: string }[] };
    const paid = messages.filter(({ role }) => role === "tool").length;
    const call = { name: "local__pay", arguments: "{}" };
    const calls = [{ id: `call-${paid}`, type: "function", function: call }];
    const isDone = paid >= PAYMENTS;
    const message = {
      role: "assistant",
      ...(isDone ? { content: "done" } : { tool_calls: calls }),
    };
    const choice = { index: 0, message, finish_reason: isDone ? "stop" : "tool_calls" };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "1", choices: [choice] }));
  });
});
let port = 0;
const comeBack = (): Promise<void> =>
  new Promise((listening) => server.listen(port, "127.0.0.1", listening));
const goAway = async (): Promise<void> => {
  const closed = new Promise((resume) => server.close(resume));
  server.closeAllConnections();
  await closed;
};

const paid: string[] = [];
const any = jsonSchema<object>(true);
const pay = defineTool({
  ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once" },
  run: async (_, { key }) => {
    paid.push(key);
    await sleep(100);
    return {};
  },
});
const agent = definePrompt({
  ...{ id: "agent", version: "1.0.0", input: any, output: any, tools: [pay] },
  ...{ backend: { id: "till", model: "small" }, template: "Pay", maxRounds: PAYMENTS + 2 },
});

let world: DurableWorld;
beforeAll(async () => {
  await comeBack();
  ({ port } = server.address() as AddressInfo);
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const till = aiSdkModel(createOpenAICompatible({ name: "till", baseURL }), {
    defaultModel: "small",
  });
  world = await openDurableWorld({ loops: [pay, agent], models: { till } });
  await Promise.all([world.startWorker(), world.startWorker()]);
});
afterAll(async () => {
  await world.close();
  await goAway();
});

test("all of them finish, none is stopped, and each payment is made once", async () => {
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const starts = Array.from({ length: RUNS }, () => world.host.start(agent, {}, { grant }));
  const runs = await Promise.all(starts);
  await world.until(async () => (paid.length >= RUNS ? true : undefined));
  await goAway();
  await sleep(AWAY_MS);
  const waiting = (await Promise.all(runs.map(world.host.show))).filter(
    (shown) => shown?.lastTurn?.outage !== undefined || (shown?.outages ?? 0) > 0,
  );
  await comeBack();
  const ends = await Promise.all(runs.map(world.stoppedOf));
  expect(ends).toEqual(runs.map(() => "goal-reached"));
  expect(waiting.length).toBeGreaterThan(0);
  expect(paid).toHaveLength(RUNS * PAYMENTS);
  expect(new Set(paid).size).toBe(paid.length);
  for (const run of runs) expect(await listFindings(run)).toEqual([]);
});

async function listFindings(run: string): Promise<readonly unknown[]> {
  const key = {
    ...{ keyId: world.signer.keyId, x: world.signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  };
  const events = await world.stores.log.read(run, 1);
  const receipts = (await world.stores.receipts.list(run, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  return (await verifyRun({ run, events, receipts }, { keys: [key] })).findings;
}
