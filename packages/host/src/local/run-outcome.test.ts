import { memoryStores, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { createLocalHost } from "./local-host.ts";

const grant = { grantor: "ada", tools: ["local.pay"], budget: { modelCalls: 9 } };
const policy = {
  name: "payments",
  rules: [{ id: "pays", decision: "ask" as const, tools: ["local.pay"] }],
};

test("a run that reaches its goal gives its output, typed as the loop's own", async () => {
  const { host, agent } = createPayments();
  const outcome = await host.run(agent, { order: "A" }, { grant });
  expect(outcome).toEqual({
    run: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requests: [],
    status: "completed",
    output: { text: "done" },
  });
});

test("a run that waits lists what is asked, and goes on after the answer", async () => {
  const { host, agent } = createPayments();
  const waiting = await host.run(agent, { order: "A" }, { grant, policy });
  const [request] = waiting.requests;
  expect(waiting).toMatchObject({ status: "waiting", requests: [{ name: "local.pay" }] });
  expect(waiting.output).toBeUndefined();
  const by = { id: "bob", roles: [] };
  await host.decide(waiting.run, request?.id ?? "", { choice: "approve", by });
  expect(await host.resume(agent, waiting.run)).toMatchObject({
    status: "completed",
    output: { text: "done" },
  });
});

test("a run that stops otherwise says why, and has no output", async () => {
  const { host, agent } = createPayments();
  const small = { ...grant, budget: { modelCalls: 1 } };
  const outcome = await host.run(agent, { order: "A" }, { grant: small });
  expect(outcome).toMatchObject({ status: "stopped", reason: "budget-exhausted", requests: [] });
  expect(outcome.output).toBeUndefined();
});

test("a run that cannot go on here is blocked, and left as it was", async () => {
  const { stores, start } = createPayments();
  const run = await start();
  const other = createPayments({ stores, template: "Pay {{order}} now" });
  expect(await other.host.resume(other.agent, run)).toMatchObject({ status: "blocked", run });
});

test("an action with an unknown end is a request, and its answer moves the run", async () => {
  const throws = defineTool({
    ...{ id: "wire", version: "1.0.0", input: jsonSchema<object>(true), effect: "once" },
    output: jsonSchema<object>(true),
    run: () => {
      throw new Error("the line went dead");
    },
  });
  const stores = memoryStores(systemClock);
  const host = createLocalHost({ loops: [throws], stores, signer });
  const own = { grantor: "ada", tools: ["local.wire"], budget: {} };
  const waiting = await host.run(throws, { order: "A" }, { grant: own });
  const [request] = waiting.requests;
  expect(waiting).toMatchObject({ status: "waiting", signals: [] });
  expect(request).toMatchObject({
    ...{ kind: "unknown", name: "local.wire", effect: "once", turn: 1 },
    ...{ request: { order: "A" }, reason: "the line went dead" },
    answers: ["happened", "retry", "abandon"],
  });
  const by = { id: "bea", roles: [] };
  const key = request?.id ?? "";
  await host.resolve(waiting.run, { key, resolution: "happened", result: { paid: 1 }, by });
  const outcome = await host.resume(throws, waiting.run);
  expect(outcome).toMatchObject({ status: "completed", output: { paid: 1 }, requests: [] });
});

test("a stopped run with such an action still asks, with the answers left by then", async () => {
  const throws = defineTool({
    ...{ id: "wire", version: "1.0.0", input: jsonSchema<object>(true), effect: "once" },
    output: jsonSchema<object>(true),
    run: () => {
      throw new Error("the line went dead");
    },
  });
  const host = createLocalHost({ loops: [throws], stores: memoryStores(systemClock), signer });
  const own = { grantor: "ada", tools: ["local.wire"], budget: {} };
  const { run } = await host.run(throws, {}, { grant: own });
  await host.cancel(run, { key: "no", by: "ada" });
  expect(await host.resume(throws, run)).toMatchObject({
    status: "stopped",
    requests: [{ kind: "unknown", answers: ["happened", "never", "abandon"] }],
  });
});
