// A chat whose provider is away: messages wait, and a person has the provider asked again.
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  ModelError,
  memoryLiveBus,
  memoryStores,
  systemClock,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { afterEach, expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { driveRuns } from "../drive-runs.ts";
import { authenticate, KEYS } from "../sample-server.test.data.ts";
import { serve } from "../serve.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const any = jsonSchema<JsonValue>(true);

async function openChat({ isPaying }: { readonly isPaying: boolean }) {
  const seen = { isAway: true, paid: 0 };
  const model: Model = {
    defaultModel: "m",
    generate: async ({ messages }) => {
      if (seen.isAway)
        throw new ModelError({ code: "MODEL_UNAUTHORIZED", retry: "pause", message: "no" });
      const last = messages.at(-1);
      const text = `answer to ${last?.role === "user" ? last.text : ""}`;
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { content: [{ kind: "text", text }], finishReason: "stop", usage };
    },
  };
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "once", build: "t", input: any, output: any },
    run: async () => {
      seen.paid += 1;
      return {};
    },
  });
  const say = definePrompt({
    ...{ id: "say", version: "1.0.0", backend: { id: "desk" }, output: any },
    input: jsonSchema<{ readonly text: string }>({ type: "object" }),
    template: "{{text}}",
  });
  const steps = [
    { loopId: "pay", inputMapping: {} },
    { loopId: "say", inputMapping: { text: "$.input.text" } },
  ];
  const order = {
    definition: {
      ...{ id: "order", name: "order", version: "1.0.0", inputSchema: true, outputSchema: true },
      ...{ kind: "composite", composite: { steps } },
    },
  } as unknown as Loop<never, unknown>;
  const [stores, live] = [memoryStores(systemClock), memoryLiveBus()];
  const signer = await createMemorySigner();
  const loops = [pay, say, order] as never;
  const host = createLocalHost({ loops, stores, signer, models: { desk: model }, live });
  const driven = driveRuns({ drive: host.driveNow });
  const grant = { grantor: "op", tools: ["local.pay"], budget: {} };
  const nextInput = { text: "$.signals.message.text" };
  const bounds = { turnsMax: 50, awaits: ["message"], nextInput };
  const server = createServer({
    tenants: () => ({ ...host, stores, live, lookAt: driven.lookAt }),
    agents: { chat: { loop: isPaying ? order : (say as never), grant, bounds } },
    authenticate,
  });
  const served = await serve(server, { port: 0 });
  ends.push(served.close, driven.close);
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${served.url}/v1/${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${KEYS.ada}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, text: await response.text() };
  };
  const tell = (text: string) =>
    ask("chats/chat", {
      ...{ id: "c", trigger: "submit-message" },
      messages: [{ id: text, role: "user", parts: [{ type: "text", text }] }],
    });
  await tell("one");
  const run = String(JSON.parse((await ask("runs")).text).runs[0].run);
  const show = async () => JSON.parse((await ask(`runs/${run}`)).text);
  await expect.poll(async () => (await show()).provider).toBeDefined();
  return { seen, ask, tell, run, show };
}

test("a turn that has acted is begun anew by a retry with leave, and by nothing else", async () => {
  const { seen, ask, tell, run, show } = await openChat({ isPaying: true });
  expect((await show()).provider.repeats).toEqual(["local.pay"]);
  seen.isAway = false;
  for (const _ of [1, 2]) expect((await tell("two")).text).toContain("data-queued");
  const stopped = await ask("chats/chat/c/stop", {});
  expect([stopped.status, stopped.text]).toEqual([
    409,
    expect.stringContaining("waits for its provider"),
  ]);
  const abort = { generationId: `${run}/2`, key: "k" };
  expect((await ask(`runs/${run}/abort`, abort)).status).toBe(409);
  const bare = await ask(`runs/${run}/retry`, {});
  expect([bare.status, bare.text]).toEqual([409, expect.stringContaining("RETRY_REPEATS")]);
  expect((await ask(`runs/${run}/retry`, { again: "yes" })).status).toBe(400);
  expect(seen.paid).toBe(1);
  expect((await ask(`runs/${run}/retry`, { again: true })).status).toBe(202);
  await expect.poll(async () => (await show()).turns).toBe(3);
  expect(seen.paid).toBe(3);
  const none = await ask(`runs/${run}/retry`, {});
  expect([none.status, none.text]).toEqual([409, expect.stringContaining("PROVIDER_NOT_AWAITED")]);
});

test("what is said after an outage is answered by its own turn", async () => {
  const { seen, tell } = await openChat({ isPaying: false });
  seen.isAway = false;
  const { text } = await tell("two");
  expect(text).toContain("/3");
  expect(text).toContain("answer to two");
  expect(text).not.toContain("answer to one");
});

test("what is said while the provider stays away keeps no page waiting", async () => {
  const { tell, show } = await openChat({ isPaying: false });
  expect((await tell("two")).text).toContain("[DONE]");
  expect((await show()).turns).toBe(2);
});
