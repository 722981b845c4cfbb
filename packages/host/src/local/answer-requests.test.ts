import { memoryStores, systemClock } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { ANSWERS_MAX, type AnswerRequest, type RequestAnswer } from "./answer-requests.ts";
import { createLocalHost, type LocalHost } from "./local-host.ts";

const ada = { id: "ada", roles: [] };
const bea = { id: "bea", roles: [] };
const grant = { grantor: "root", tools: ["local.pay"], budget: { modelCalls: 9 } };
const ask = { id: "pays", decision: "ask" as const, tools: ["local.pay"] };
const policy = { name: "payments", rules: [ask] };
const approve = { choice: "approve", by: ada } as const;

async function typesOf(host: LocalHost, run: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of host.events(run)) types.push(type);
  return types;
}

describe("one call", () => {
  test("asks about an approval, takes the answer and goes on", async () => {
    const { host, agent } = createPayments();
    const seen: unknown[] = [];
    const answer: AnswerRequest = async ({ kind, name, request }) => {
      seen.push({ kind, name, request });
      return approve;
    };
    const outcome = await host.run(agent, { order: "A" }, { grant, policy, answer });
    expect(outcome).toMatchObject({ status: "completed", output: { text: "done" } });
    expect(seen).toEqual([{ kind: "approval", name: "local.pay", request: { order: "A" } }]);
  });

  test("starts the run that it starts without `answer`", async () => {
    const { host, agent } = createPayments();
    const options = { grant, policy, key: "A" };
    const { run } = await host.run(agent, { order: "A" }, options);
    const answer = () => approve;
    const again = await host.run(agent, { order: "A" }, { ...options, answer });
    expect(again).toMatchObject({ run, status: "completed" });
  });

  test("of `resume` does the same", async () => {
    const { host, agent } = createPayments();
    const { run } = await host.run(agent, { order: "A" }, { grant, policy });
    const outcome = await host.resume(agent, run, { answer: () => approve });
    expect(outcome).toMatchObject({ status: "completed", output: { text: "done" } });
  });

  test("asks again where a second person must approve", async () => {
    const { host, agent } = createPayments();
    const two = { name: "payments", rules: [{ ...ask, approvers: 2 }] };
    const people = [ada, bea];
    const answer: AnswerRequest = () => {
      const by = people.shift();
      return by && { choice: "approve", by };
    };
    const outcome = await host.run(agent, { order: "A" }, { grant, policy: two, answer });
    expect(outcome).toMatchObject({ status: "completed" });
    expect(people).toEqual([]);
  });

  test("answers a question and an action of unknown end", async () => {
    const question: LoopDef = {
      ...{ id: "ask", name: "ask", version: "1.0.0", kind: "tool", inputSchema: true },
      ...{ outputSchema: true, tool: { implementation: "turnseal.question" } },
    };
    let fails = 2;
    const wire = defineTool({
      ...{ id: "wire", version: "1.0.0", input: jsonSchema<object>(true), effect: "once" },
      output: jsonSchema<object>(true),
      run: () => {
        if (--fails >= 0) throw new Error("the line went dead");
        return { paid: 1 };
      },
    });
    const asking = { definition: question } as never;
    const stores = memoryStores(systemClock);
    const host = createLocalHost({ loops: [wire, asking], stores, signer });
    const answers: Record<string, RequestAnswer> = {
      question: { answer: { street: "High Street" }, by: ada },
      unknown: { resolution: "retry", by: ada },
    };
    const answer: AnswerRequest = ({ kind }) => answers[kind];
    const mayAsk = { grantor: "root", tools: ["turnseal.question"], budget: {} };
    expect(await host.run(asking, {} as never, { grant: mayAsk, answer })).toMatchObject({
      ...{ status: "completed", output: { street: "High Street" } },
    });
    // Each retry that fails is another action of unknown end.
    const mayWire = { grantor: "root", tools: ["local.wire"], budget: {} };
    expect(await host.run(wire, {}, { grant: mayWire, answer })).toMatchObject({
      ...{ status: "completed", output: { paid: 1 } },
    });
  });

  test("goes on where another person was faster", async () => {
    const { host, agent } = createPayments();
    const answer: AnswerRequest = async ({ run, id }) => {
      await host.decide(run, id, { choice: "reject", by: bea });
      await host.advance(run);
      return approve;
    };
    const outcome = await host.run(agent, { order: "A" }, { grant, policy, answer });
    expect(await typesOf(host, outcome.run)).not.toContain("action.approved");
    expect(outcome.requests).toEqual([]);
  });
});

describe("a request stays open", () => {
  test("if its answer is undefined, and the outcome has it", async () => {
    const { host, agent } = createPayments();
    const asked: string[] = [];
    const answer: AnswerRequest = ({ id }) => {
      asked.push(id);
      return undefined;
    };
    const outcome = await host.run(agent, { order: "A" }, { grant, policy, answer });
    expect(outcome).toMatchObject({ status: "waiting", requests: [{ id: asked[0] }] });
    expect(asked).toHaveLength(1);
  });

  test("if the function throws: nothing is decided, and the call rejects", async () => {
    const { host, agent } = createPayments();
    let run = "";
    const answer: AnswerRequest = (request) => {
      run = request.run;
      throw new Error("the terminal is gone");
    };
    const options = { grant, policy, answer };
    await expect(host.run(agent, { order: "A" }, options)).rejects.toThrow("the terminal is gone");
    expect(await host.requests(run)).toHaveLength(1);
    expect(await typesOf(host, run)).not.toContain("signal.received");
  });

  const wrong: readonly [string, unknown, string][] = [
    ["names nobody", { choice: "approve" }, "IDENTITY_MISSING"],
    ["has an empty id", { choice: "approve", by: { id: "", roles: [] } }, "IDENTITY_MISSING"],
    ["has a person without roles", { choice: "approve", by: { id: "ada" } }, "IDENTITY_MISSING"],
    ["is a text of a model", "approve", "ANSWER_REFUSED"],
    ["is true", true, "ANSWER_REFUSED"],
    ["is null", null, "ANSWER_REFUSED"],
    ["is for a question", { answer: "yes", by: ada }, "ANSWER_REFUSED"],
    ["is for an unknown action", { resolution: "happened", by: ada }, "ANSWER_REFUSED"],
    ["is no choice", { choice: "yes", by: ada }, "ANSWER_REFUSED"],
  ];
  test.each(wrong)("if the answer %s", async (_, given, code) => {
    const { host, agent } = createPayments();
    const { run } = await host.run(agent, { order: "B" }, { grant, policy });
    const answer = () => given as RequestAnswer;
    await expect(host.resume(agent, run, { answer })).rejects.toMatchObject({ code });
    expect(await host.requests(run)).toHaveLength(1);
  });

  test("if the person may not decide it", async () => {
    const { host, agent } = createPayments();
    const finance = { name: "payments", rules: [{ ...ask, role: "finance" }] };
    const options = { grant, policy: finance, key: "A", answer: () => approve };
    const refused = host.run(agent, { order: "A" }, options);
    await expect(refused).rejects.toMatchObject({ code: "ROLE_MISSING" });
  });

  test("after one person approved twice, where two must", async () => {
    const { host, agent } = createPayments();
    const two = { name: "payments", rules: [{ ...ask, approvers: 2 }] };
    let asked = 0;
    const answer: AnswerRequest = () => {
      asked++;
      return approve;
    };
    const outcome = await host.run(agent, { order: "A" }, { grant, policy: two, answer });
    expect(outcome).toMatchObject({ status: "waiting", requests: [{ approvedBy: ["ada"] }] });
    expect(asked).toBe(2);
  });

  test("after ANSWERS_MAX answers of one call", async () => {
    const wire = defineTool({
      ...{ id: "wire", version: "1.0.0", input: jsonSchema<object>(true), effect: "once" },
      output: jsonSchema<object>(true),
      run: () => {
        throw new Error("the line went dead");
      },
    });
    const host = createLocalHost({ loops: [wire], stores: memoryStores(systemClock), signer });
    const own = { grantor: "root", tools: ["local.wire"], budget: {} };
    let asked = 0;
    const answer: AnswerRequest = () => {
      asked++;
      return { resolution: "retry", by: ada };
    };
    const outcome = await host.run(wire, {}, { grant: own, answer });
    expect(outcome).toMatchObject({ status: "waiting", requests: [{ kind: "unknown" }] });
    expect(asked).toBe(ANSWERS_MAX);
  }, 120_000);
});
