// A page of another origin can send these content types without asking first.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";
import { ROUTES } from "./open-api.ts";

let sample: SampleServer;
let run: string;
beforeAll(async () => {
  sample = await openSampleServer();
  run = await sample.start("ada", "chat", { text: "hi" });
});
afterAll(async () => {
  await sample.close();
});

const simple = [
  "text/plain",
  "text/plain; x=application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  undefined,
];

const posts = ROUTES.filter(({ method }) => method !== "get").map(({ path }) => path);

test("every route that changes something is in the table", () => {
  expect(posts).toHaveLength(15);
});

test.each(posts)("%s takes no content type of a form", async (route) => {
  const names = { run, agent: "chat", id: run, key: "k" };
  const path = Object.entries(names).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    route,
  );
  for (const type of simple) {
    // A body of bytes has no content type of its own.
    const body = new TextEncoder().encode("{}");
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const { status, json } = await sample.ask("ada", path, undefined, {
      ...{ method: "POST", body, headers },
    });
    expect([type, status, json?.error?.code]).toEqual([type, 415, "MEDIA_TYPE_REFUSED"]);
  }
  const { status } = await sample.ask("ada", path, undefined, { method: "POST" });
  expect(status).toBe(415);
});
