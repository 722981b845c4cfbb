// An agent that its host could not drive: clients learn of it, and nothing is stored.
import { createLocalHost, runOfKey } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { chatKey, runKey } from "@turnseal/sessions";
import { expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { authenticate, KEYS } from "../sample-server.test.data.ts";

const schemas = {
  input: jsonSchema<{ readonly text: string }>({ type: "object" }),
  output: jsonSchema<unknown>(true),
};
const lost = definePrompt({
  ...{ id: "lost", version: "1.0.0", template: "{{text}}", backend: { id: "openai" }, ...schemas },
});
const torn = definePrompt({
  ...{ id: "torn", version: "1.0.0", template: "{{text}}", ...schemas },
});
const tool = {
  ...torn.definition,
  prompt: { ...torn.definition.prompt, tools: [{ loopId: "pay" }] },
};
const grant = { grantor: "operator", tools: [], budget: {} };
const agents = {
  lost: { loop: lost, grant },
  torn: { loop: { definition: tool as typeof torn.definition }, grant },
};
const stores = memoryStores(systemClock);
const loops = Object.values(agents).map(({ loop }) => loop);
const host = createLocalHost({ loops, stores, signer: await createMemorySigner() });
const server = createServer({ tenants: () => ({ ...host, stores }), agents, authenticate });

async function post(path: string, body: object) {
  const headers = {
    ...{ authorization: `Bearer ${KEYS.ada}`, "content-type": "application/json" },
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`http://127.0.0.1${path}`, init));
  return { status: response.status, json: (await response.json()) as object };
}

const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "hello" }] }];

test.each([
  ["lost", "BACKEND_UNBOUND", "lost asks the backend openai, which is not set up"],
  ["torn", "LOOP_REFUSED", "pay is not registered"],
])("the agent %s is refused: %s", async (agent, code, words) => {
  const refused = {
    status: 409,
    json: { error: { code, message: expect.stringContaining(words) } },
  };
  const input = { text: "hello" };
  expect(await post("/v1/runs", { agent, input, key: "k" })).toMatchObject(refused);
  const chat = { id: "c", trigger: "submit-message", messages };
  expect(await post(`/v1/chats/${agent}`, chat)).toMatchObject(refused);
  const owner = { host: { stores }, caller: { tenant: "alpha", id: "ada" } };
  const keys = [runKey(owner.host, "alpha", "k"), chatKey(owner, { agent, id: "c" })];
  for (const key of await Promise.all(keys))
    expect(await stores.inbox.has(runOfKey(key), "start")).toBe(false);
  const { json } = await post("/v1/runs", { agent: "none", input });
  expect(json).toMatchObject({ error: { code: "AGENT_UNKNOWN" } });
});
