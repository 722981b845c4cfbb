import { expect, test } from "vitest";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";

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
