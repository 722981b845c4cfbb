// A need of a run that its host cannot meet is found before anything is stored.
import { createMemorySigner, memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { createRunClient } from "../../local/run-client.ts";
import { runOfKey } from "../../run-ids.ts";

const signer = await createMemorySigner();
const base = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const toLoop = (definition: object): Loop<never, unknown> => ({
  definition: definition as LoopDef,
});
const prompt = (id: string, more: object) =>
  toLoop({
    ...{ ...base, id, name: id, kind: "prompt" },
    prompt: { template: "Say hello", variables: [], ...("tools" in more ? more : {}) },
    ...("tools" in more ? {} : more),
  });
const pay = toLoop({
  ...{ ...base, id: "pay", name: "pay", kind: "tool" },
  tool: { implementation: "bank.pay" },
});
const asks = prompt("asks", { backend: { id: "openai", model: "small" } });
const routed = prompt("routed", {
  policy: { routes: [{ id: "mock" }, { id: "anthropic", model: "small" }] },
});
const offers = prompt("offers", { tools: [{ loopId: "pay" }] });
const flow = toLoop({
  ...{ ...base, id: "flow", name: "flow", kind: "composite" },
  composite: { steps: [{ loopId: "pay", inputMapping: {} }] },
});

const grant = { grantor: "ada", tools: ["bank.pay"], budget: {} };
const open = (loops: readonly Loop<never, unknown>[], brought: object = {}) => {
  const stores = memoryStores(systemClock);
  const host = createLocalHost({ loops, stores, signer, ...brought });
  const start = (loop: Loop<never, unknown>) =>
    host.start(loop, {} as never, { grant, key: "one" });
  return { host, stores, start };
};

const cases = [
  ["a backend", [asks], asks, "BACKEND_UNBOUND", "asks asks the backend openai, which is not"],
  ["the last of its routes", [routed], routed, "BACKEND_UNBOUND", "the backend anthropic"],
  ["a tool", [pay], pay, "TOOL_UNBOUND", "no function is bound to bank.pay"],
  ["a tool that a prompt offers", [pay, offers], offers, "TOOL_UNBOUND", "bound to bank.pay"],
  ["a tool of a step", [pay, flow], flow, "TOOL_UNBOUND", "bound to bank.pay"],
  ["a tool loop that is not there", [offers], offers, "LOOP_REFUSED", "pay is not registered"],
  ["a step that is not there", [flow], flow, "LOOP_REFUSED", "pay is not registered"],
] as const;

test.each(cases)("without %s a run is refused, and nothing is stored", async (_, ...rest) => {
  const [loops, loop, code, message] = rest;
  const { start, stores } = open(loops);
  await expect(start(loop)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(await stores.runs.list()).toEqual([]);
  expect(await stores.inbox.has(runOfKey("one"), "start")).toBe(false);
  expect(await stores.blobs.readKey(runOfKey("one"))).toBeUndefined();
});

test.each([pay, asks, routed, offers, flow])("with all of it bound a run starts", async (loop) => {
  const models = { openai: scriptedModel(), anthropic: scriptedModel() };
  const { start } = open([pay, loop], { models, tools: { "bank.pay": () => ({}) } });
  expect(await start(loop)).toMatch(/^[0-9a-f-]{36}$/);
});

test("a loop that nothing is missing of starts beside one that lacks something", async () => {
  const free = prompt("free", {});
  expect(await open([asks, free]).start(free)).toMatch(/^[0-9a-f-]{36}$/);
});

test("a client whose runs others carry need not have what they need", async () => {
  const client = createRunClient({ loops: [asks], stores: memoryStores(systemClock) });
  expect(await client.start(asks, {} as never, { grant })).toMatch(/^[0-9a-f-]{36}$/);
});
