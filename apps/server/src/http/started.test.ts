// Whether a run was started under a name: only that, for callers with the name.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer({ cell: "00a" });
});
afterAll(() => sample.close());

describe("a key", () => {
  test("is known once it has started a run, to the whole tenant and to no other", async () => {
    const statusFor = async (person: "ada" | "bob" | "mallory") =>
      (await sample.ask(person, "/v1/starts/order%2F7")).status;
    expect(await statusFor("ada")).toBe(404);
    const body = { agent: "chat", input: { text: "hi" }, key: "order/7" };
    expect((await sample.ask("ada", "/v1/runs", body)).status).toBe(201);
    expect([await statusFor("ada"), await statusFor("bob")]).toEqual([204, 204]);
    expect(await statusFor("mallory")).toBe(404);
  });

  test("is told to nobody who is not known", async () => {
    expect((await sample.ask(undefined, "/v1/starts/order%2F7")).status).toBe(401);
  });
});

test("a begun chat is known to who named it, and by its run to the tenant", async () => {
  const ask = async (person: "ada" | "bob", id: string) =>
    (await sample.ask(person, `/v1/chats/chat/${id}`)).status;
  expect(await ask("ada", "mine")).toBe(404);
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "hi" }] }];
  const said = { id: "mine", messages, trigger: "submit-message" };
  expect((await sample.ask("ada", "/v1/chats/chat", said)).status).toBe(200);
  expect([await ask("ada", "mine"), await ask("bob", "mine")]).toEqual([204, 404]);
  const { json } = await sample.ask("ada", "/v1/runs");
  for (const { run } of json.runs as { run: string }[]) expect(await ask("bob", run)).toBe(204);
  expect((await sample.ask("ada", "/v1/chats/nobody/mine")).json.error.code).toBe("AGENT_UNKNOWN");
});

test("health says which cell this is", async () => {
  expect((await sample.ask(undefined, "/v1/health")).json).toEqual({ status: "ok", cell: "00a" });
});
