import { afterAll, beforeAll, expect, test } from "vitest";
import { readFrames } from "./read-frames.test.data.ts";
import { openSampleServer, type SampleServer } from "./sample-server.test.data.ts";
import { serve } from "./serve.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
});

test("a port that is taken is named, with what to do", async () => {
  const app = { fetch: async () => new Response(), close: async () => {} };
  const first = await serve(app, { port: 0 });
  await expect(serve(app, { port: first.port })).rejects.toThrow(
    `port ${first.port} is taken by another program: stop it, or take another port`,
  );
  await first.close();
});

test("a run is started, watched to its end, and read again page by page", async () => {
  const run = await sample.start("ada", "desk", { text: "what is new?" });
  const reader = await readFrames(sample, { person: "ada", run });
  const done = await reader.until(({ event, data }) => event === "state" && data.status === "done");
  expect(done.data).toMatchObject({ status: "done", requests: [] });
  expect(await reader.ended).toBe("ended");
  const events = reader.frames.filter(({ event }) => event === "event");
  expect(events.map(({ data }) => data.type)).toEqual(["user-message", "assistant-message"]);
  expect(events.every(({ id, data }) => id === data.id)).toBe(true);
  const pages = [];
  for (let after = ""; ; ) {
    const query = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
    const { json } = await sample.ask("ada", `/v1/runs/${run}/events?limit=1${query}`);
    pages.push(...json.events);
    if (json.next === null) break;
    after = json.next;
  }
  expect(pages).toEqual(events.map(({ data }) => data));
});

test("an approval is asked, decided by somebody with the role, and the run goes on", async () => {
  const run = await sample.start("ada", "desk", { text: "refund A-1 1200" });
  const reader = await readFrames(sample, { person: "bob", run });
  const state = await reader.until(({ event, data }) => event === "state" && data.requests.length);
  const [request] = state.data.requests;
  expect(state.data.status).toBe("waiting");
  expect(request).toMatchObject({ kind: "approval", name: "local.refund", role: "finance" });
  expect(request.request).toEqual({ order: "A-1", cents: 1200 });
  const told = await sample.ask("ada", `/v1/runs/${run}/decisions`, {
    approval: request.id,
    choice: "approve",
  });
  expect([told.status, told.json]).toEqual([202, { status: "stored" }]);
  await reader.until(({ event, data }) => event === "state" && data.status === "done");
  expect(sample.made).toEqual([{ order: "A-1", cents: 1200 }]);
  const types = reader.frames.filter(({ event }) => event === "event").map(({ data }) => data.type);
  expect(types.filter((type) => type === "tool-result")).toHaveLength(1);
});
