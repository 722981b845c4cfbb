import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createSessionClient,
  type SessionClient,
  type SessionClientOptions,
} from "./create-session-client.ts";
import { conversation, envelope, generationId, run } from "./session/sample-envelopes.test.data.ts";
import { BACKOFF_MS_DEFAULT, BACKOFF_MS_MAX, backoffMs, retryAfterMs } from "./wire/backoff.ts";
import {
  openScriptedServer,
  refuse,
  type Script,
  stream,
} from "./wire/open-scripted-server.test.data.ts";
import { FRAME_LENGTH_MAX } from "./wire/parse-frame.ts";
import { COMMAND_ATTEMPTS_MAX, COMMAND_MS_MAX } from "./wire/post-command.ts";
import { SILENCE_MS_DEFAULT } from "./wire/read-stream.ts";
import { REFUSAL_LENGTH_MAX, readRefusal } from "./wire/server-refusal.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(script: Script, options: Partial<SessionClientOptions> = {}) {
  const server = await openScriptedServer(script);
  const client = createSessionClient({ url: server.url, run, backoff: { firstMs: 5 }, ...options });
  ends.push(server.close, client.close);
  return { server, client };
}

async function until(client: SessionClient, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const end = client.subscribe(() => {
      if (!holds()) return;
      end();
      resolve();
    });
  });
}

function kinds(client: SessionClient): string[] {
  return client.state().items.map(({ kind }) => kind);
}

const events = conversation.map((event) => ["event", event] as const);
const waiting = ["state", { status: "waiting", requests: [] }] as const;
const done = ["state", { status: "done", stopped: "goal-reached", requests: [] }] as const;

describe("watching", () => {
  test("folds what arrives, and says so", async () => {
    const { client } = await open((_, response) => stream(response, [...events, waiting]));
    expect(client.state()).toEqual({ items: [], requests: [], connection: { kind: "closed" } });
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(kinds(client)).toHaveLength(8);
    expect(client.state().connection).toEqual({ kind: "open" });
    expect(client.state().generationId).toBe(`${run}/2`);
    expect(client.state()).toBe(client.state());
  });

  test("asks after the last event that it has, when a connection breaks", async () => {
    const { client, server } = await open((_, response, count) => {
      stream(response, events.slice((count - 1) * 4, count * 4));
      if (count < 3) setTimeout(() => response.destroy(), 20);
    });
    client.connect();
    await until(client, () => kinds(client).length === 8);
    expect(server.asked.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      conversation[3]?.id,
      conversation[7]?.id,
    ]);
  });

  test("shows a text on, that it saw the beginning of on another connection", async () => {
    const piece = (offset: number, text: string) =>
      ["delta", { generationId, message: "x.0", kind: "text", epoch: 1, offset, text }] as const;
    const { client } = await open((_, response, count) => {
      stream(response, count === 1 ? [piece(0, "Hel")] : [piece(0, "Hello"), piece(5, "!")]);
      if (count === 1) setTimeout(() => response.destroy(), 20);
    });
    const seen: string[] = [];
    client.subscribe(() => {
      const [item] = client.state().items;
      if (item?.kind === "assistant" && seen.at(-1) !== item.text) seen.push(item.text);
    });
    client.connect();
    await until(client, () => seen.at(-1) === "Hello!");
    expect(seen[0]).toBe("Hel");
    expect(seen.every((text) => "Hello!".startsWith(text))).toBe(true);
  });

  test("begins anew when the server does not know the last event", async () => {
    const { client, server } = await open((asked, response, count) => {
      if (asked.headers["last-event-id"] !== undefined) return refuse(response, 400, "BAD_PLACE");
      stream(response, count === 1 ? events.slice(0, 3) : events);
      if (count === 1) setTimeout(() => response.destroy(), 20);
    });
    client.connect();
    await until(client, () => kinds(client).length === 8);
    expect(server.asked).toHaveLength(3);
  });

  test.each([401, 403, 404, 400])(
    "stops when the server says %i, until it is told to",
    async (status) => {
      const { client, server } = await open((_, response, count) =>
        count === 1 ? refuse(response, status, "NOT_YOURS") : stream(response, [waiting]),
      );
      client.connect();
      await until(client, () => client.state().connection.kind === "refused");
      expect(client.state().connection).toEqual({
        kind: "refused",
        refusal: { status, code: "NOT_YOURS", message: "it is NOT_YOURS" },
      });
      expect(server.asked).toHaveLength(1);
      client.connect();
      await until(client, () => client.state().status === "waiting");
    },
  );

  test.each([429, 500, 503])("goes on trying after %i", async (status) => {
    const { client, server } = await open((_, response, count) =>
      count < 3 ? refuse(response, status, "LATER") : stream(response, [waiting]),
    );
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(server.asked).toHaveLength(3);
  });

  test("does not call something a stream that is none", async () => {
    const { client } = await open((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<p>please log in");
    });
    client.connect();
    await until(client, () => client.state().connection.kind === "refused");
    expect(client.state().connection).toMatchObject({ refusal: { code: "HTTP_200" } });
  });

  test("ends with the run, and not before", async () => {
    const { client, server } = await open((_, response, count) => {
      stream(response, count === 1 ? [waiting] : [done]);
      response.end();
    });
    client.connect();
    await until(client, () => client.state().connection.kind === "closed");
    expect(client.state()).toMatchObject({ status: "done", stopped: "goal-reached" });
    expect(server.asked).toHaveLength(2);
  });

  test("ends when it is closed, and goes on from there when it is opened again", async () => {
    const { client, server } = await open((_, response, count) =>
      stream(response, count === 1 ? events.slice(0, 4) : events.slice(4)),
    );
    client.connect();
    client.connect();
    await until(client, () => kinds(client).length === 4);
    client.close();
    expect(client.state().connection).toEqual({ kind: "closed" });
    client.connect();
    await until(client, () => kinds(client).length === 8);
    expect(server.asked.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      conversation[3]?.id,
    ]);
  });

  test("lets go of a connection on which nothing is said", async () => {
    const { client, server } = await open(
      (_, response, count) => stream(response, count === 1 ? [] : [waiting]),
      { silenceMs: 40 },
    );
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(server.asked.length).toBeGreaterThan(1);
  });

  test("takes no more of a frame than FRAME_LENGTH_MAX, and connects again", async () => {
    const { client, server } = await open((_, response, count) => {
      if (count > 1) return stream(response, [waiting]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${"x".repeat(FRAME_LENGTH_MAX + 1)}`);
    });
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(server.asked).toHaveLength(2);
  });

  test("is not disturbed by nonsense between frames", async () => {
    const { client } = await open((_, response) => {
      stream(response, [
        ["event", { hello: 1 }],
        ["delta", []],
        ["nothing", {}],
      ]);
      response.write("event: event\ndata: {not json\n\n: a comment\n\nfoo\n\n");
      response.write(`event: state\ndata: ${JSON.stringify(waiting[1])}\n\n`);
    });
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(client.state().items).toEqual([]);
  });

  test("tells a listener nothing after it has left", async () => {
    const { client } = await open((_, response) => stream(response, [waiting]));
    const told = vi.fn();
    client.subscribe(told)();
    client.connect();
    await until(client, () => client.state().status === "waiting");
    expect(told).not.toHaveBeenCalled();
  });
});

describe("commands", () => {
  test("say who sends them, and carry what was said", async () => {
    let tokens = 0;
    const { client, server } = await open((_, response) => void response.writeHead(202).end("{}"), {
      token: () => `t${++tokens}`,
      headers: { "x-tenant": "a" },
    });
    expect(await client.send("hello")).toEqual({ kind: "accepted" });
    await client.decide({ approval: "a1", choice: "reject", reason: "too much" });
    await client.answer({ question: "q1", answer: { n: 1 } });
    await client.abort(generationId);
    expect(server.asked.map(({ path }) => path)).toEqual(
      ["messages", "decisions", "answers", "abort"].map((end) => `/v1/runs/${run}/${end}`),
    );
    const bodies = server.asked.map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([
      { text: "hello", key: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { approval: "a1", choice: "reject", reason: "too much" },
      { question: "q1", answer: { n: 1 } },
      { generationId, key: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(
      ["t1", "t2", "t3", "t4"].map((token) => `Bearer ${token}`),
    );
    expect(server.asked[0]?.headers["x-tenant"]).toBe("a");
  });

  test("have one key for one action, over every attempt; another action has another", async () => {
    const { client, server } = await open((_, response, count) => {
      if (count === 1) return void response.destroy();
      if (count === 2) return refuse(response, 503, "LATER");
      response.writeHead(202).end();
    });
    expect(await client.send("hello")).toEqual({ kind: "accepted" });
    await client.send("hello");
    await client.send("hello", "mine");
    const keys = server.asked.map(({ body }) => JSON.parse(body).key);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[1]).toBe(keys[2]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBe("mine");
  });

  test("that are refused are not sent again", async () => {
    const { client, server } = await open((_, response) =>
      refuse(response, 409, "ALREADY_DECIDED"),
    );
    const answer = await client.decide({ approval: "a", choice: "approve" });
    expect(answer).toMatchObject({ kind: "refused", refusal: { code: "ALREADY_DECIDED" } });
    expect(server.asked).toHaveLength(1);
  });

  test("are given up after COMMAND_ATTEMPTS_MAX", async () => {
    const { client, server } = await open((_, response) => void response.destroy());
    expect(await client.send("hello")).toEqual({ kind: "unreachable" });
    expect(server.asked).toHaveLength(COMMAND_ATTEMPTS_MAX);
  });

  test("to stop need a generation that was heard of", async () => {
    const { client, server } = await open((asked, response) =>
      asked.method === "GET" ? stream(response, events.slice(0, 1)) : void response.end(),
    );
    expect(await client.abort()).toMatchObject({ refusal: { code: "NO_GENERATION" } });
    client.connect();
    await until(client, () => kinds(client).length === 1);
    expect(await client.abort()).toEqual({ kind: "accepted" });
    expect(JSON.parse(server.asked.at(-1)?.body ?? "")).toMatchObject({ generationId });
  });
});

describe("waits", () => {
  test("grow from BACKOFF_MS_DEFAULT to BACKOFF_MS_MAX, half of them by chance", () => {
    expect(backoffMs(0, 1)).toBe(BACKOFF_MS_DEFAULT);
    expect(backoffMs(1, 1)).toBe(2 * BACKOFF_MS_DEFAULT);
    expect(backoffMs(1, 0)).toBe(BACKOFF_MS_DEFAULT);
    expect(backoffMs(1_000, 1)).toBe(BACKOFF_MS_MAX);
    expect(backoffMs(9, 1, { firstMs: 1, mostMs: 50 })).toBe(50);
    expect(backoffMs(9, 1, { mostMs: 2 * BACKOFF_MS_MAX })).toBe(BACKOFF_MS_MAX);
  });

  test("are as long as the server asks, up to BACKOFF_MS_MAX", () => {
    const asks = (value: string) => new Response(null, { headers: { "retry-after": value } });
    expect(retryAfterMs(asks("2"))).toBe(2_000);
    expect(retryAfterMs(asks("86400"))).toBe(BACKOFF_MS_MAX);
    expect(retryAfterMs(asks("tomorrow"))).toBe(0);
    expect(retryAfterMs(new Response(null))).toBe(0);
  });

  test("for an answer or a word are long enough for a slow line", () => {
    expect([COMMAND_MS_MAX, SILENCE_MS_DEFAULT]).toEqual([30_000, 60_000]);
  });
});

test("a refusal is read up to REFUSAL_LENGTH_MAX", async () => {
  const sized = (length: number) => {
    const error = { code: "NO", message: "" };
    const padding = length - JSON.stringify({ error }).length;
    return JSON.stringify({ error: { ...error, message: "x".repeat(padding) } });
  };
  const read = (text: string) => readRefusal(new Response(text, { status: 400 }));
  expect((await read(sized(REFUSAL_LENGTH_MAX))).code).toBe("NO");
  expect((await read(sized(REFUSAL_LENGTH_MAX + 1))).code).toBe("HTTP_400");
  for (const text of ["", "null", "[]", '{"error":1}', '{"error":{"code":1}}'])
    expect(await read(text)).toEqual({ status: 400, code: "HTTP_400", message: "" });
});

test("an envelope of another run on the stream is not shown", async () => {
  const other = run.replace("0b5e", "1b5e");
  const [first] = conversation;
  const foreign = { ...first, run: other, id: first?.id.replace(run, other) };
  const own = envelope("user-message", { text: "mine" }, { sequence: 40 });
  const { client } = await open((_, response) =>
    stream(response, [
      ["event", foreign],
      ["event", own],
    ]),
  );
  client.connect();
  await until(client, () => kinds(client).length === 1);
  expect(client.state().items).toMatchObject([{ text: "mine" }]);
});
