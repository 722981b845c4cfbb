import type { ServerResponse } from "node:http";
import type { ModelDelta } from "@turnseal/ports";
import { afterEach, describe, expect, test } from "vitest";
import { ANSWER_BYTES_MAX } from "./answer-limits.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { modelsFromSecrets } from "./models-from-secrets.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(reply: (response: ServerResponse) => void) {
  const server = await startScriptedServer(reply);
  stops.push(server.stop);
  return server;
}

const bytes = (count: number) => (response: ServerResponse) =>
  void response.end(Buffer.alloc(count));

test("an answer of the largest size is read, and no byte more", async () => {
  const full = await serve(bytes(ANSWER_BYTES_MAX));
  const read = await boundedFetch(full.url).then((response) => response.arrayBuffer());
  expect(read.byteLength).toBe(ANSWER_BYTES_MAX);
  const larger = await serve(bytes(ANSWER_BYTES_MAX + 1));
  const response = await boundedFetch(larger.url);
  await expect(response.arrayBuffer()).rejects.toMatchObject({ code: "MODEL_ANSWER_TOO_LARGE" });
});

test("the status and the headers are those of the server, also without a body", async () => {
  const server = await serve((response) => void response.writeHead(204, { "x-a": "1" }).end());
  const { status, headers, body } = await boundedFetch(server.url);
  expect([status, headers.get("x-a"), body]).toEqual([204, "1", null]);
});

describe("an answer without an end", () => {
  // Spaces are no content, neither in JSON nor in a stream of events.
  const endless = (response: ServerResponse) => {
    const blank = Buffer.alloc(1024 * 1024, "\n");
    const write = () => {
      while (!response.destroyed && response.write(blank));
      response.once("drain", write);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    write();
  };

  test.each([
    ["openai", false],
    ["anthropic", true],
    ["openai-compatible", true],
  ])("of %s is given up (streamed: %s)", async (id, isWatched) => {
    const { url } = await serve(endless);
    const secrets = { read: async () => "key-of-the-test" };
    const model = modelsFromSecrets(secrets, { [id]: { url } })[id];
    const told: ModelDelta[] = [];
    const answer = model?.generate({
      model: "small",
      messages: [{ role: "user", text: "say hello" }],
      signal: new AbortController().signal,
      ...(isWatched && { onDelta: (delta: ModelDelta) => void told.push(delta) }),
    });
    await expect(answer).rejects.toMatchObject({ code: "MODEL_ANSWER_TOO_LARGE", retry: "never" });
    expect(told).toEqual([]);
  });
});
