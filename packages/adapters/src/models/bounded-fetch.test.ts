import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ModelDelta } from "@turnseal/ports";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ANSWER_BYTES_MAX } from "./answer-limits.ts";
import { boundedFetch, CONNECT_MS_MAX } from "./bounded-fetch.ts";
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

test("an answer in another protocol is refused at once, and its connection is closed", async () => {
  const { url, closed } = await serveRaw(
    "101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other",
    () => {},
  );
  await expect(boundedFetch(url)).rejects.toMatchObject({ code: "MODEL_ANSWER_INVALID" });
  await closed;
}, 5_000);

const strange: readonly (readonly [string, string])[] = [
  ["a status that is none", "600 Odd"],
  ["a status without a body", "205 Reset Content"],
  ["two encodings", "200 OK\r\nContent-Encoding: gzip, gzip"],
  ["an encoding that nobody knows", "200 OK\r\nContent-Encoding: constructor"],
  ["many encodings", `200 OK\r\nContent-Encoding: ${"gzip, ".repeat(9)}gzip`],
];

/** A server of bytes: it answers with a head, and then as the test says. */
async function serveRaw(head: string, go: (socket: Socket) => void) {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("close", () => closed.resolve());
    socket.once("data", () => {
      socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 9999999999\r\n\r\n`);
      go(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, closed: closed.promise };
}

describe.each(strange)("an answer with %s", (_, head) => {
  test("has its connection closed, whatever comes on it", async () => {
    const blank = Buffer.alloc(64 * 1024, " ");
    const { url, closed } = await serveRaw(head, function write(socket) {
      while (!socket.destroyed && socket.write(blank));
      socket.once("drain", () => write(socket));
    });
    await boundedFetch(url).catch(() => {});
    await closed;
  }, 5_000);

  test("that breaks off ends nothing but the request", async () => {
    const { url, closed } = await serveRaw(head, (socket) => {
      socket.write("abc");
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    await boundedFetch(url).catch(() => {});
    await closed;
    // An unhandled error would fail this file.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("an answer in %s is read, up to the limit of what it becomes", async (encoding, compress) => {
  const packed = (size: number) => (response: ServerResponse) =>
    void response
      .writeHead(200, { "content-encoding": encoding })
      .end(compress(Buffer.alloc(size)));
  const read = async (size: number) => {
    const { url } = await serve(packed(size));
    return (await boundedFetch(url)).arrayBuffer();
  };
  expect((await read(100_000)).byteLength).toBe(100_000);
  await expect(read(ANSWER_BYTES_MAX + 1)).rejects.toMatchObject({
    code: "MODEL_ANSWER_TOO_LARGE",
  });
});

test("what is asked is sent as it is, and a redirect is not followed", async () => {
  const { url, bodies } = await serve(
    (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end("{}"),
  );
  const headers = { authorization: "Bearer k" };
  const answer = await boundedFetch(url, { method: "POST", headers, body: "größe" });
  expect([answer.status, await answer.text(), bodies]).toEqual([307, "{}", ["größe"]]);
});

test("a connection that is not made in CONNECT_MS_MAX is given up", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const taken = Promise.withResolvers<void>();
    // It takes the connection, and says nothing of its keys.
    const server = createServer((socket) => {
      socket.on("error", () => {});
      taken.resolve();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const asked = expect(boundedFetch(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
      ...{ name: "TypeError", cause: { code: "CONNECT_TIMEOUT" } },
    });
    await taken.promise;
    vi.advanceTimersByTime(CONNECT_MS_MAX);
    await asked;
  } finally {
    vi.useRealTimers();
  }
});

test("an abort ends what is asked, and what is read", async () => {
  const { url } = await serve((response) => void response.writeHead(200).write("{"));
  const controller = new AbortController();
  const answer = await boundedFetch(url, { signal: controller.signal });
  const read = expect(answer.text()).rejects.toBeDefined();
  controller.abort();
  await read;
  await expect(boundedFetch(url, { signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
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
