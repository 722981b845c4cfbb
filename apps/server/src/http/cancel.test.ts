// Ending a run over HTTP: it ends once, for good, and nobody of another tenant ends it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readFrames } from "../read-frames.test.data.ts";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
});

test("a run that waits is ended, and takes no more words", async () => {
  const run = await sample.start("ada", "chat", { text: "hello" });
  const reader = await readFrames(sample, { person: "ada", run });
  await reader.until(({ event, data }) => event === "state" && data.status === "waiting");
  const cancel = (person: "ada" | "mallory", body: unknown = {}) =>
    sample.ask(person, `/v1/runs/${run}/cancel`, body);
  expect((await cancel("mallory")).status).toBe(404);
  expect((await cancel("ada", { turn: 1 })).status).toBe(400);
  // No key of another word of theirs takes the place of the cancel.
  const abort = { generationId: `${run}/2`, key: "run" };
  expect((await sample.ask("ada", `/v1/runs/${run}/abort`, abort)).status).toBe(202);
  const { status, json } = await cancel("ada");
  expect([status, json]).toEqual([202, { status: "stored" }]);
  await reader.until(({ event, data }) => event === "state" && data.status === "done");
  reader.leave();
  expect((await sample.ask("ada", `/v1/runs/${run}`)).json).toMatchObject({
    status: "done",
    stopped: "cancelled",
  });
  const again = await cancel("ada");
  expect([again.status, again.json.error.code]).toEqual([409, "RUN_ENDED"]);
});
