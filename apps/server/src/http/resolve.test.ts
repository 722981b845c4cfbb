// A person resolves an unknown action over HTTP.
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { authenticate, KEYS, type Person } from "../sample-server.test.data.ts";

const any = jsonSchema<object>(true);

async function openDesk() {
  const wire = defineTool({
    ...{ id: "wire", version: "1.0.0", input: any, output: any, effect: "once" },
    run: () => {
      throw new Error("the line went dead");
    },
  });
  const stores = memoryStores(systemClock);
  const local = createLocalHost({ loops: [wire], stores, signer: await createMemorySigner() });
  const host = { ...local, stores };
  const server = createServer({ tenants: () => host, agents: {}, authenticate });
  const ask = async (person: Person, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${KEYS[person]}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await server.fetch(new Request(`http://desk${path}`, { ...init, headers }));
    return { status: answer.status, json: await answer.json() };
  };
  const policy = {
    name: "wires",
    rules: [{ id: "w", decision: "ask" as const, tools: ["local.wire"], role: "finance" }],
  };
  const grant = { grantor: "ada", tools: ["local.wire"], budget: {} };
  const { run, requests } = await local.run(wire, { order: "A" }, { grant, policy });
  const ada = { id: "ada", roles: ["finance"] };
  await local.decide(run, requests[0]?.id ?? "", { choice: "approve", by: ada });
  const outcome = await local.resume(wire, run);
  return { ask, run, local, wire, key: outcome.requests[0]?.id ?? "" };
}

test("it is listed for those who may answer, and their answer moves the run once", async () => {
  const { ask, run, local, wire, key } = await openDesk();
  const request = {
    ...{ kind: "unknown", id: key, name: "local.wire", request: { order: "A" } },
    ...{ reason: "the line went dead", answers: ["happened", "retry", "abandon"] },
  };
  expect((await ask("ada", `/v1/runs/${run}`)).json).toMatchObject({ requests: [request] });
  expect((await ask("ada", "/v1/inbox")).json).toMatchObject({ requests: [{ run, ...request }] });
  expect((await ask("bob", "/v1/inbox")).json).toMatchObject({ requests: [] });
  const say = (person: Person, body: object) => ask(person, `/v1/runs/${run}/resolutions`, body);
  expect((await say("bob", { key, resolution: "happened" })).status).toBe(403);
  expect((await say("ada", { key: "no", resolution: "happened" })).json).toMatchObject({
    error: { code: "CLAIM_NOT_UNKNOWN" },
  });
  expect((await say("ada", { key, resolution: "again" })).status).toBe(400);
  const answer = { key, resolution: "happened", result: { paid: 1 } };
  expect(await say("ada", answer)).toEqual({ status: 202, json: { status: "stored" } });
  expect(await say("ada", answer)).toEqual({ status: 202, json: { status: "known" } });
  expect(await local.resume(wire, run)).toMatchObject({ output: { paid: 1 }, requests: [] });
});

test("a run that has stopped takes the word, too", async () => {
  const { ask, run, local, wire, key } = await openDesk();
  await local.cancel(run, { key: "no", by: "ada" });
  expect(await local.resume(wire, run)).toMatchObject({ status: "stopped" });
  const say = (resolution: string) =>
    ask("ada", `/v1/runs/${run}/resolutions`, { key, resolution });
  expect((await say("retry")).status).toBe(422);
  expect((await say("never")).status).toBe(202);
  expect((await ask("ada", `/v1/runs/${run}`)).json).toMatchObject({ requests: [] });
});
