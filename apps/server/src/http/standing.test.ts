// A person approves once for many calls over HTTP, looks at what stands, and revokes it.
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { authenticate, KEYS, type Person } from "../sample-server.test.data.ts";

const any = jsonSchema<object>(true);
const mayStand = { uses: 3, withinMs: 3_600_000 };

async function openDesk() {
  const wire = defineTool({
    ...{ id: "wire", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
    run: () => ({ paid: true }),
  });
  const stores = memoryStores(systemClock);
  const local = createLocalHost({ loops: [wire], stores, signer: await createMemorySigner() });
  const server = createServer({ tenants: () => ({ ...local, stores }), agents: {}, authenticate });
  const ask = async (person: Person, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${KEYS[person]}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await server.fetch(new Request(`http://desk${path}`, { ...init, headers }));
    return { status: answer.status, json: await answer.json() };
  };
  const rule = { id: "w", decision: "ask", tools: ["local.wire"], role: "finance" } as const;
  const policy = { name: "wires", rules: [{ ...rule, mayStand }] };
  const grant = { grantor: "ada", tools: ["local.wire"], budget: {} };
  const bounds = { awaits: ["order"], nextInput: { order: "$.signals.order" } };
  const { run, requests } = await local.run(wire, { order: "A" }, { grant, policy, bounds });
  return { ask, run, local, id: requests[0]?.id ?? "" };
}

test("it is given, listed and revoked", async () => {
  const { ask, run, local, id } = await openDesk();
  const path = `/v1/runs/${run}`;
  expect((await ask("ada", path)).json).toMatchObject({ requests: [{ id, mayStand }] });
  const standing = { uses: 2, withinMs: 60_000 };
  const pattern = { order: { any: true } };
  const given = { approval: id, choice: "approve", standing, pattern };
  const wide = { ...given, standing: { ...standing, uses: 4 } };
  expect((await ask("ada", `${path}/decisions`, wide)).status).toBe(422);
  const unread = { ...given, standing: { ...standing, uses: 0 } };
  expect((await ask("ada", `${path}/decisions`, unread)).status).toBe(400);
  expect((await ask("ada", `${path}/decisions`, given)).status).toBe(202);
  await local.drive(run);
  const listed = await ask("ada", `${path}/standing`);
  expect(listed.json).toMatchObject({
    standing: [{ tool: "local.wire", by: "ada", usesLeft: 2, pattern }],
  });
  const [one] = (listed.json as { standing: { id: string }[] }).standing;
  expect((await ask("ada", `${path}/revocations`, { standing: "no" })).status).toBe(409);
  expect((await ask("ada", `${path}/revocations`, { standing: one?.id })).status).toBe(202);
  await local.drive(run);
  expect((await ask("ada", `${path}/standing`)).json).toEqual({ standing: [] });
});
