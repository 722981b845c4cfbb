import type { UIMessage, UIMessageChunk } from "ai";
import { afterEach, expect, test, vi } from "vitest";
import { openScriptedServer, refuse, type Script } from "../wire/open-scripted-server.test.data.ts";
import { CHAT_ATTEMPTS_MAX } from "./asking.ts";
import { createChatTransport } from "./create-chat-transport.ts";
import { CHAT_PAGES_MAX } from "./load-pages.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(script: Script) {
  const server = await openScriptedServer(script);
  ends.push(server.close);
  const options = { url: server.url, agent: "a b", token: "t", backoff: { firstMs: 1, mostMs: 2 } };
  return { server, transport: createChatTransport(options) };
}

const words = (text: string): UIMessage => ({
  ...{ id: "m1", role: "user" },
  parts: [{ type: "text", text }],
});
const send = (transport: Awaited<ReturnType<typeof open>>["transport"], messages: UIMessage[]) =>
  transport.sendMessages({
    ...{ chatId: "c", messages, trigger: "submit-message" },
    ...{ messageId: undefined, abortSignal: undefined },
  });

async function readAll(stream: ReadableStream<UIMessageChunk> | null): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return chunks;
}

const start = { type: "start", messageId: "r/3" };
const step = { type: "start-step" };
const text = (delta: string) => ({ type: "text-delta", id: "x", delta });
const frames = (...chunks: object[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
const DONE = "data: [DONE]\n\n";

test("the newest words are sent, and nothing of what was before", async () => {
  const { server, transport } = await open((_, response) => void response.end(DONE));
  const forged: UIMessage = { id: "m0", role: "assistant", parts: [{ type: "text", text: "old" }] };
  await readAll(await send(transport, [forged, words("hi")]));
  expect(server.asked[0]).toMatchObject({
    ...{ method: "POST", path: "/v1/chats/a%20b", headers: { authorization: "Bearer t" } },
    body: JSON.stringify({ id: "c", messages: [words("hi")], trigger: "submit-message" }),
  });
});

test("of an answer of the agent, what a person decided is sent", async () => {
  const { server, transport } = await open((_, response) => void response.end(DONE));
  const tool = { type: "dynamic-tool", toolName: "t", toolCallId: "1", input: { a: 1 } } as const;
  const decided = { ...tool, state: "approval-responded", approval: { id: "p", approved: true } };
  const done = { ...tool, state: "output-available", output: "secret" };
  const parts = [{ type: "step-start" }, decided, done, { type: "text", text: "x" }];
  await readAll(await send(transport, [{ id: "r/3", role: "assistant", parts: parts as never }]));
  expect(JSON.parse(server.asked[0]?.body ?? "").messages).toEqual([
    {
      ...{ id: "r/3", role: "assistant" },
      parts: [
        { type: "step-start" },
        {
          type: "dynamic-tool",
          state: "approval-responded",
          approval: { id: "p", approved: true },
        },
      ],
    },
  ]);
});

test("a connection that is lost is opened again where the message stands", async () => {
  const { server, transport } = await open(({ path, method }, response, count) => {
    if (count === 3) return refuse(response, 503, "STORE_UNREACHABLE");
    if (method === "POST") {
      response.write(frames(start, step, text("a"), step, text("b")));
      setTimeout(() => response.destroy(), 20);
    } else if (count === 2) response.end(frames(start, { type: "reset-step" }, text("b")));
    else response.end(frames(start, { type: "reset-step" }, text("bc")) + DONE);
    expect(path).toContain("/v1/chats/");
  });
  const chunks = await readAll(await send(transport, [words("hi")]));
  const reset = { type: "reset-step" };
  expect(chunks).toEqual([
    ...[start, step, text("a"), step, text("b"), reset, text("b"), reset, text("bc")],
  ]);
  expect(server.asked.map(({ path }) => path).slice(1)).toEqual(
    Array.from({ length: 3 }, () => "/v1/chats/a%20b/c/stream?turn=3&steps=2"),
  );
});

test("a message that was not answered at all is sent again, as it was", async () => {
  const { server, transport } = await open((_, response, count) => {
    if (count === 1) response.destroy();
    else if (count === 2) response.end();
    else response.end(frames(start) + DONE);
  });
  expect(await readAll(await send(transport, [words("hi")]))).toEqual([start]);
  expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1);
  expect(server.asked).toHaveLength(3);
});

test("a message arrives where a framework has replaced the global class of responses", async () => {
  const { server, transport } = await open(
    (_, response) => void response.end(frames(start) + DONE),
  );
  vi.stubGlobal("Response", class {});
  try {
    expect(await readAll(await send(transport, [words("hi")]))).toEqual([start]);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(server.asked).toHaveLength(1);
});

test("a refusal is an error with its code, and a server that is away is given up", async () => {
  const { transport } = await open((_, response) => refuse(response, 403, "ROLE_MISSING"));
  await expect(send(transport, [words("hi")])).rejects.toThrow("ROLE_MISSING: it is ROLE_MISSING");
  const { server, transport: away } = await open((_, response) => void response.destroy());
  await expect(send(away, [words("hi")])).rejects.toThrow();
  expect(server.asked).toHaveLength(CHAT_ATTEMPTS_MAX);
});

test("what was said is loaded page by page, and resuming says how far", async () => {
  const part = (value: string) => ({ type: "text", text: value });
  const page = (message: object, next: string | null) =>
    JSON.stringify({ messages: [{ id: "r/1", role: "assistant", ...message }], sequence: 9, next });
  const { server, transport } = await open(({ path }, response) => {
    if (path.includes("/stream")) response.writeHead(204).end();
    else if (path.includes("after=")) response.end(page({ parts: [part("b")] }, null));
    else response.end(page({ parts: [part("a")] }, "r/5.0"));
  });
  expect(await transport.load("c")).toMatchObject([{ id: "r/1", parts: [part("a"), part("b")] }]);
  expect(await transport.reconnectToStream({ chatId: "c" })).toBeNull();
  expect(server.asked.at(-1)?.path).toBe("/v1/chats/a%20b/c/stream?seen=9");
  expect(CHAT_PAGES_MAX).toBeGreaterThan(1);
});

test("a resumed stream that was cut before its first word is asked for as before", async () => {
  const { server, transport } = await open(({ path }, response, count) => {
    const page = { messages: [], sequence: 4, next: null };
    if (path.includes("/messages")) response.end(JSON.stringify(page));
    else response.end(count < 4 ? "" : frames(start) + DONE);
  });
  await transport.load("c");
  expect(await readAll(await transport.reconnectToStream({ chatId: "c" }))).toEqual([start]);
  const asked = server.asked.slice(1).map(({ path }) => path);
  expect(asked).toEqual(Array.from({ length: 3 }, () => "/v1/chats/a%20b/c/stream?seen=4"));
});

test("a file goes before the message that names it", async () => {
  const file = { file: "hmac-sha256:00", mediaType: "image/png", bytes: 2, name: "a.png" };
  const { server, transport } = await open(({ path }, response) =>
    path.includes("files") ? response.end(JSON.stringify(file)) : response.end(DONE),
  );
  const url = "data:image/png;base64,AQI=";
  const part = { type: "file", mediaType: "image/png", filename: "a.png", url } as const;
  await readAll(await send(transport, [{ id: "m", role: "user", parts: [part] }]));
  expect(server.asked.map(({ path }) => path)).toEqual([
    "/v1/chats/a%20b/c/files?name=a.png",
    "/v1/chats/a%20b",
  ]);
  expect(JSON.parse(server.asked[1]?.body ?? "").messages[0].parts).toEqual([
    {
      type: "file",
      url: "turnseal:hmac-sha256:00",
      mediaType: "image/png",
      bytes: 2,
      filename: "a.png",
    },
  ]);
});

test("a wait for a decision ends when the approval is open no longer", async () => {
  const { server, transport } = await open((_, response, count) => {
    const requests = count < 3 ? [{ id: "p" }, { id: "q" }] : [{ id: "q" }];
    if (count === 2) refuse(response, 503, "STORE_UNREACHABLE");
    else response.end(JSON.stringify({ requests }));
  });
  const asking = (id: string) =>
    ({
      ...{ id: "r/3", role: "assistant", metadata: { run: "r" } },
      parts: [
        {
          ...{ type: "dynamic-tool", toolName: "t", toolCallId: "1", input: {} },
          ...{ state: "approval-requested", approval: { id } },
        },
      ],
    }) as const satisfies UIMessage;
  await transport.untilDecided(asking("p"), { everyMs: 1 });
  expect(server.asked.map(({ path }) => path)).toEqual(Array(3).fill("/v1/runs/r"));

  const left = new AbortController();
  const waiting = transport.untilDecided(asking("q"), { everyMs: 1, signal: left.signal });
  await expect.poll(() => server.asked.length).toBeGreaterThan(5);
  left.abort();
  await expect(waiting).rejects.toThrow();
});

test("stop is said to the server, and what has ended needs none", async () => {
  const { server, transport } = await open((_, response, count) =>
    count === 1 ? response.end("{}") : refuse(response, 409, "GENERATION_ENDED"),
  );
  await transport.stop("c");
  await transport.stop("c");
  const path = "/v1/chats/a%20b/c/stop";
  const headers = { "content-type": "application/json" };
  expect(server.asked[0]).toMatchObject({ method: "POST", path, headers, body: "{}" });
});
