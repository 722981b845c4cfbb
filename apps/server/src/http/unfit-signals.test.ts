// A signal that its turn could not take is refused, and the conversation goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(() => sample.close());

test("a signal that does not fit is refused with a body that does, and ends nothing", async () => {
  const run = await sample.start("ada", "hearing", { text: "hi" });
  const signals = `/v1/runs/${run}/signals`;
  const send = (payload: unknown, key: string) =>
    sample.ask("ada", signals, { name: "note", payload, key });
  const refused = await send("hello", "a");
  expect(refused.status).toBe(422);
  const { code, message, next } = refused.json.error;
  expect(code).toBe("SIGNAL_REFUSED");
  expect(message).toContain("nothing at $.signals.note.text");
  const [, body = "{}"] = /with a body such as (.*)$/.exec(next) ?? [];
  expect(JSON.parse(body)).toEqual({ name: "note", payload: { text: "..." } });
  expect((await sample.ask("ada", signals, { ...JSON.parse(body), key: "b" })).status).toBe(202);
  await expect
    .poll(async () => (await sample.ask("ada", `/v1/runs/${run}`)).json)
    .toMatchObject({ status: "waiting", turns: 2 });
});
