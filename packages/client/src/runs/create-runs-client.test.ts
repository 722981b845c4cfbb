import { afterEach, expect, test } from "vitest";
import { openScriptedServer, refuse, type Script } from "../wire/open-scripted-server.test.data.ts";
import { createRunsClient, REQUEST_MS_MAX } from "./create-runs-client.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(script: Script) {
  const server = await openScriptedServer(script);
  ends.push(server.close);
  return { server, runs: createRunsClient({ url: server.url, token: "t" }) };
}

const answering =
  (value: unknown): Script =>
  (_, response) =>
    void response.end(JSON.stringify(value));

test("a run is started by the name of an agent", async () => {
  const { server, runs } = await open(answering({ run: "r" }));
  const answer = await runs.start({ agent: "chat", input: { text: "hi" }, key: "k" });
  expect(answer).toEqual({ kind: "answered", value: { run: "r" } });
  expect(server.asked[0]).toMatchObject({
    ...{
      method: "POST",
      path: "/v1/runs",
      body: '{"agent":"chat","input":{"text":"hi"},"key":"k"}',
    },
    headers: { authorization: "Bearer t", "content-type": "application/json" },
  });
});

test("a retry says only what it was given", async () => {
  const { server, runs } = await open(answering({ status: "stored" }));
  expect(await runs.retry("r")).toEqual({ kind: "answered", value: { status: "stored" } });
  await runs.retry("r/2", { again: true });
  expect(server.asked).toMatchObject([
    { method: "POST", path: "/v1/runs/r/retry", body: "{}" },
    { method: "POST", path: "/v1/runs/r%2F2/retry", body: '{"again":true}' },
  ]);
});

test("a cancel names its run", async () => {
  const { server, runs } = await open(answering({ status: "stored" }));
  expect(await runs.cancel("r/2")).toEqual({ kind: "answered", value: { status: "stored" } });
  expect(server.asked).toMatchObject([
    { method: "POST", path: "/v1/runs/r%2F2/cancel", body: "{}" },
  ]);
});

test("lists are asked for with what was given, and nothing besides", async () => {
  const { server, runs } = await open((asked, response) =>
    answering(
      asked.path.includes("inbox") ? { requests: [], next: null } : { runs: [], next: "n" },
    )(asked, response, 0),
  );
  expect(await runs.list({ state: "waiting", limit: 2 })).toMatchObject({ value: { next: "n" } });
  expect(await runs.list()).toMatchObject({ value: { runs: [] } });
  expect(await runs.inbox({ after: "a b" })).toMatchObject({ value: { requests: [] } });
  expect(server.asked.map(({ path }) => path)).toEqual([
    "/v1/runs?state=waiting&limit=2",
    "/v1/runs",
    "/v1/inbox?after=a+b",
  ]);
  expect(REQUEST_MS_MAX).toBeGreaterThan(0);
});

test("a no is a value, and what is none of ours is not believed", async () => {
  const { runs } = await open((_, response) => refuse(response, 403, "ROLE_MISSING"));
  const refusal = { status: 403, code: "ROLE_MISSING", message: "it is ROLE_MISSING" };
  expect(await runs.list({ by: "bob" })).toEqual({ kind: "refused", refusal });
  for (const value of [null, [], { runs: {} }, "runs"]) {
    const { runs: false_ } = await open(answering(value));
    expect(await false_.list()).toEqual({ kind: "unreachable" });
  }
});

test("a server that is away is said to be away", async () => {
  const { server, runs } = await open(() => {});
  await server.close();
  expect(await runs.start({ agent: "chat", input: {} })).toEqual({ kind: "unreachable" });
});
