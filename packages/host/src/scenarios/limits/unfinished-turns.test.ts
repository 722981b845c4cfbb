// The request to a model after a turn that ended early.
import {
  type Model,
  manualClock,
  memoryStores,
  type ScriptedReply,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { Grant, LoopDef, LoopEvent, ModelMessage, RunBounds } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer } from "../__fixtures__/refund-desk.ts";

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;
const agent: LoopDef = {
  ...header("agent"),
  kind: "prompt",
  prompt: {
    ...{ template: "{{text}}", variables: ["text"], maxRounds: 4 },
    tools: [{ loopId: "pay" }, { loopId: "ask" }],
  },
  backend: { id: "scripted" },
};
const ask: LoopDef = {
  ...header("ask"),
  kind: "tool",
  tool: { implementation: "turnseal.question", config: { to: "person" } },
};
const grant: Grant = { grantor: "ada", tools: ["local.pay", "turnseal.question"], budget: {} };
const anything = jsonSchema<unknown>(true);

function openDesk(replies: readonly ScriptedReply[], paid: unknown = { paid: 7 }) {
  const stores = memoryStores(manualClock());
  const sent: ModelMessage[][] = [];
  const script = scriptedModel(replies);
  const model: Model = {
    defaultModel: "scripted",
    generate: (request) => {
      sent.push([...request.messages]);
      return script.generate(request);
    },
  };
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", implementation: "local.pay" },
    ...{ effect: "once", build: "test", input: anything, output: anything, run: () => paid },
  });
  const open = (loops: readonly { readonly definition: LoopDef }[]) =>
    createLocalHost({
      ...{ loops, stores, signer, clock: manualClock(), ids: seededIds("desk") },
      models: { scripted: model },
    });
  return { stores, sent, host: open([{ definition: agent }, pay, { definition: ask }]), open };
}

const both: ScriptedReply = {
  toolCalls: [
    { tool: "local__pay", input: {} },
    { tool: "turnseal__question", input: { q: "sure?" } },
  ],
};
const CUT: ScriptedReply = {
  content: [{ kind: "text", text: "cut" }],
  finishReason: "length",
};
const awaits: Partial<RunBounds> = {
  awaits: ["message"],
  nextInput: { text: "$.signals.message" },
  turnsMax: 9,
};

/** A turn that pays, asks, and is cancelled by a worker that has none of its loops. */
async function withdraw(desk: ReturnType<typeof openDesk>): Promise<string> {
  const run = await desk.host.start({ definition: agent }, { text: "pay" } as never, {
    ...{ grant, bounds: awaits, key: "desk" },
  });
  await desk.host.drive(run);
  const bare = desk.open([]);
  await bare.cancel(run, { by: "bob", key: "stop", turn: 1 });
  await bare.drive(run);
  return run;
}

async function goOn(desk: ReturnType<typeof openDesk>, run: string): Promise<void> {
  await desk.host.signal(run, { name: "message", payload: "well?", key: "m", by: "me" });
  await desk.host.drive(run);
}

test("a tool that was done in a turn that nobody ran to its end is told as done", async () => {
  const desk = openDesk([both, "fine"]);
  const run = await withdraw(desk);
  await goOn(desk, run);
  const events: readonly LoopEvent[] = await desk.stores.log.read(run, 1);
  expect(events.find(({ type }) => type === "turn.closed")?.content).toMatchObject({
    reason: "withdrawn",
  });
  expect(desk.sent.at(-1)).toMatchObject([
    { role: "user", text: "pay" },
    { role: "assistant" },
    { role: "tool", toolName: "local__pay", result: { paid: 7 } },
    { role: "tool", toolName: "turnseal__question", result: { error: "INTERRUPTED" } },
    { role: "user", text: "well?" },
  ]);
});

test("of what it gave the model is shown no more than of any other output", async () => {
  const desk = openDesk([both, "fine"], "long ".repeat(10_000));
  await goOn(desk, await withdraw(desk));
  const told = desk.sent.at(-1)?.find(({ role }) => role === "tool");
  expect(told).toMatchObject({ result: { truncated: true, bytes: 50_000 } });
});

test("a turn that tries again is given what the failed one was given", async () => {
  const bounds = {
    ...{ turnsMax: 5, failuresMax: 3, nextInput: { text: "$.output.text" } },
    goal: { path: "$.output.text", equals: "done" },
  };
  const bare = { ...agent, prompt: { template: "{{text}}", variables: ["text"] } } as LoopDef;
  const desk = openDesk(["first", CUT, "second", "done"]);
  const host = desk.open([{ definition: bare }]);
  const run = await host.start({ definition: bare }, { text: "begin" } as never, {
    ...{ grant, bounds, key: "retry" },
  });
  await host.drive(run);
  const words = desk.sent.map((messages) => messages.at(-1));
  expect(words).toEqual(
    ["begin", "first", "first", "second"].map((text) => ({ role: "user", text })),
  );
});
