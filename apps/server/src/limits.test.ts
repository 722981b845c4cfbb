// Every maximum of what clients send: at it, and one past it.

import { MESSAGE_LENGTH_MAX, REASON_LENGTH_MAX } from "@turnseal/sessions";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CLIENT_KEY_LENGTH_MAX,
  EVENTS_PAGE_DEFAULT,
  EVENTS_PAGE_MAX,
  SERVER_LIMITS_DEFAULT,
} from "./limits.ts";
import { openSampleServer, type SampleServer } from "./sample-server.test.data.ts";

let sample: SampleServer;
let run: string;
beforeAll(async () => {
  sample = await openSampleServer();
  run = await sample.start("ada", "chat", { text: "hello" });
});
afterAll(async () => {
  await sample.close();
});

const text = (length: number) => "x".repeat(length);
const decision = (reason: string) => ({ approval: "none", choice: "reject", reason });

test.each([
  ["messages", (length: number) => ({ text: text(length), key: "a" }), MESSAGE_LENGTH_MAX],
  ["messages", (length: number) => ({ text: "hi", key: text(length) }), CLIENT_KEY_LENGTH_MAX],
  [
    "signals",
    (length: number) => ({ name: text(length), payload: 1, key: "b" }),
    CLIENT_KEY_LENGTH_MAX,
  ],
  ["decisions", (length: number) => decision(text(length)), REASON_LENGTH_MAX],
])("%s: so long is looked at, and one more is refused", async (path, body, max) => {
  const at = await sample.ask("ada", `/v1/runs/${run}/${path}`, body(max));
  expect(at.json?.error?.code).not.toBe("BODY_REFUSED");
  const past = await sample.ask("ada", `/v1/runs/${run}/${path}`, body(max + 1));
  expect([past.status, past.json.error.code]).toEqual([400, "BODY_REFUSED"]);
});

test("a page has EVENTS_PAGE_DEFAULT events, or up to EVENTS_PAGE_MAX", async () => {
  for (let index = 0; index <= EVENTS_PAGE_DEFAULT; index++)
    await sample.ask("ada", `/v1/runs/${run}/signals`, {
      name: "note",
      payload: index,
      key: `note ${index}`,
    });
  const page = (limit: number | undefined) =>
    sample.ask("ada", `/v1/runs/${run}/events${limit === undefined ? "" : `?limit=${limit}`}`);
  const notes = async () =>
    (await page(EVENTS_PAGE_MAX)).json.events.filter(
      ({ type }: { type: string }) => type === "trigger",
    );
  while ((await notes()).length <= EVENTS_PAGE_DEFAULT)
    await new Promise((resume) => setTimeout(resume, 10));
  expect((await page(undefined)).json.events).toHaveLength(EVENTS_PAGE_DEFAULT);
  expect((await page(EVENTS_PAGE_MAX + 1)).status).toBe(400);
});

test("what holds when nobody says otherwise is bounded", () => {
  for (const limit of Object.values(SERVER_LIMITS_DEFAULT)) {
    expect(Number.isSafeInteger(limit)).toBe(true);
    expect(limit).toBeGreaterThan(0);
  }
});
