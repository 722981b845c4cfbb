// The owner of a chat: its name belongs to its owner, and any caller of the tenant with the id of
// its run has it.
import { runOfKey } from "@turnseal/host";
import { chatKey } from "@turnseal/sessions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSampleServer, type Person, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
});

const say = (person: Person, id: string, text: string, agent = "chat") =>
  sample.ask(person, `/v1/chats/${agent}`, {
    ...{ id, trigger: "submit-message" },
    messages: [{ id: `${person} ${text}`, role: "user", parts: [{ type: "text", text }] }],
  });
const read = (person: Person, id: string, agent = "chat") =>
  sample.ask(person, `/v1/chats/${agent}/${encodeURIComponent(id)}/messages`);
const runOf = async (person: Person, id: string): Promise<string> => {
  const { json } = await read(person, id);
  return String(json.messages[0].id).split("/")[0] ?? "";
};
const keyOf = (id: string, name: { readonly agent: string; readonly id: string }) =>
  chatKey({ host: sample.hosts.alpha, caller: { tenant: "alpha", id } }, name);
const EMPTY = { messages: [], sequence: 0, next: null };

test("a name that another person of the tenant uses is another chat", async () => {
  await say("ada", "2", "of ada");
  expect((await read("bob", "2")).json).toEqual(EMPTY);
  expect((await sample.ask("bob", "/v1/chats/chat/2/stream?seen=0")).status).toBe(204);
  expect((await sample.ask("bob", "/v1/chats/chat/2/stop", {})).status).toBe(404);
  expect((await say("bob", "2", "of bob")).status).toBe(200);
  expect((await read("ada", "2")).text).not.toContain("of bob");
  expect((await read("bob", "2")).text).not.toContain("of ada");
  expect(await runOf("ada", "2")).not.toBe(await runOf("bob", "2"));
  // An operator sees everybody's runs, and still has names of their own.
  expect((await read("olga", "2")).json).toEqual(EMPTY);
});

test("a name that a person of another tenant uses is another chat", async () => {
  await say("ada", "both", "of ada");
  expect((await read("mallory", "both")).json).toEqual(EMPTY);
  await say("mallory", "both", "of mallory");
  expect(await runOf("ada", "both")).not.toBe(await runOf("mallory", "both"));
  expect((await read("ada", "both")).text).not.toContain("of mallory");
});

test("a chat of one agent is none of another", async () => {
  await say("ada", "agents", "hello");
  expect((await read("ada", "agents", "desk")).json).toEqual(EMPTY);
});

test.each([
  ["the name as it was", "chat/chat/squat"],
  ["its parts", JSON.stringify(["chat", "alpha", "ada", "chat", "squat"])],
  ["the whole key", undefined],
])("a key of a run takes no chat of anybody: %s", async (_, given) => {
  const key = given ?? (await keyOf("ada", { agent: "chat", id: "squat" }));
  const input = { text: "of bob" };
  const { status, json } = await sample.ask("bob", "/v1/runs", { agent: "chat", input, key });
  expect(status).toBe(201);
  expect((await say("ada", "squat", "of ada")).status).toBe(200);
  expect((await read("ada", "squat")).text).not.toContain("of bob");
  expect(await runOf("ada", "squat")).not.toBe(json.run);
});

test("what a name holds does not reach into another part of the key", async () => {
  const keys = await Promise.all([
    keyOf("ada", { agent: "chat", id: "1" }),
    keyOf('ada","chat', { agent: "1", id: "" }),
    keyOf("ada", { agent: 'chat","1', id: "" }),
    keyOf("ada/chat", { agent: "1", id: "" }),
  ]);
  expect(new Set(keys.map((key) => runOfKey(key))).size).toBe(keys.length);
});

test("a chat is shared within its tenant by the id of its run", async () => {
  await say("ada", "shared", "of ada");
  const run = await runOf("ada", "shared");
  expect(run).toBe(runOfKey(await keyOf("ada", { agent: "chat", id: "shared" })));
  expect((await read("bob", run)).text).toContain("of ada");
  expect((await say("bob", run, "of bob")).status).toBe(200);
  expect((await read("ada", "shared")).text).toContain("of bob");
  expect((await read("mallory", run)).json).toEqual(EMPTY);
});

test("the run of a name that can be guessed is not computed from it", async () => {
  await say("ada", "salary", "of ada");
  const input = { text: "of ada" };
  await sample.ask("ada", "/v1/runs", { agent: "chat", input, key: "order-42" });
  const guesses = [
    JSON.stringify(["chat", "alpha", "ada", "chat", "salary"]),
    ...["alpha/order-42", JSON.stringify(["run", "alpha", "order-42"])],
  ];
  for (const run of guesses.map((key) => runOfKey(key))) {
    expect((await read("bob", run)).json).toEqual(EMPTY);
    expect((await sample.ask("bob", `/v1/runs/${run}`)).status).toBe(404);
  }
});
