// Sessions over HTTP where an engine carries the runs: servers keep nothing, workers are elsewhere.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandWorld, openCommandWorld, type Running, until } from "./command-world.ts";

const LOOPS = fileURLToPath(new URL("../apps/cli/src/__fixtures__/served.mjs", import.meta.url));
const REDIS = process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379";
const ports = 31_000 + (process.pid % 400) * 5;
const keys = { ada: "key-of-ada", mallory: "key-of-mallory" } as const;
let world: CommandWorld;
let dev: Running;

beforeAll(async () => {
  world = openCommandWorld();
  const table = [
    { sha256: digest(keys.ada), tenant: "default", id: "ada" },
    { sha256: digest(keys.mallory), tenant: "beta", id: "mallory" },
  ];
  writeFileSync(join(world.folder, "keys.json"), JSON.stringify({ keys: table }));
  dev = world.start([
    ...["dev", "--from", LOOPS, "--postgres", world.databaseUrl],
    ...["--ports", String(ports), "--redis", REDIS],
  ]);
  await until(() => (dev.out().includes("Press Ctrl-C to stop") ? true : undefined), 60_000);
  await world.run(["tenant", "add", "beta", "--postgres", world.databaseUrl]);
});
afterAll(async () => {
  // Told to stop, it takes its engine with it.
  dev?.child.kill("SIGTERM");
  await dev?.ended;
  await world?.close();
});

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

async function startServer(): Promise<{ readonly server: Running; readonly url: string }> {
  const port = await findFreePort();
  const server = world.start([
    ...["serve", "--from", LOOPS, "--keys", "keys.json", "--port", String(port)],
    ...["--host", `http://127.0.0.1:${ports}`, "--postgres", world.databaseUrl],
    ...["--redis", REDIS],
  ]);
  const url = await until(() => /serving (\S+)/.exec(server.out())?.[1], 60_000);
  return { server, url };
}

const headers = (key: string) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
});

async function post(url: string, body: object, key: string = keys.ada) {
  const response = await fetch(url, {
    method: "POST",
    headers: headers(key),
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

/** Reads a stream until texts have come, in this order; answers with everything. */
async function read(
  url: string,
  wanted: readonly string[],
  { after, onFirst }: { readonly after?: string | undefined; onFirst?: () => void } = {},
): Promise<string> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { ...headers(keys.ada), ...(after === undefined ? {} : { "last-event-id": after }) },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(30_000)]),
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    onFirst?.();
    if (hasInOrder(text, wanted)) break;
  }
  controller.abort();
  return text;
}

function hasInOrder(text: string, wanted: readonly string[]): boolean {
  let from = 0;
  return wanted.every((each) => {
    const at = text.indexOf(each, from);
    from = at + each.length;
    return at >= 0;
  });
}

test("a chat goes on over two servers, and the pieces that a worker writes arrive", async () => {
  const first = await startServer();
  const started = await post(`${first.url}/v1/runs`, { agent: "chat", input: { text: "one" } });
  expect(started.status).toBe(201);
  const { run } = started.json as { run: string };
  const path = `/v1/runs/${run}`;
  const seen = await read(`${first.url}${path}/stream`, [
    // Before its first turn it waits, too.
    "scripted answer to: one",
    '"status":"waiting"',
  ]);
  expect(seen).toContain("scripted answer to: one");
  const ids = [...seen.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
  first.server.child.kill("SIGKILL");
  await first.server.ended;

  const second = await startServer();
  // Pieces go to the watchers of that moment.
  const watched = Promise.withResolvers<void>();
  const watching = read(`${second.url}${path}/stream`, ["scripted answer to: two"], {
    ...{ after: ids.at(-1), onFirst: watched.resolve },
  });
  await watched.promise;
  expect((await post(`${second.url}${path}/messages`, { text: "two", key: "k" })).status).toBe(202);
  const rest = await watching;
  expect(rest).not.toContain("scripted answer to: one");
  expect(rest).toContain("event: delta");
  const other = await post(`${second.url}${path}/messages`, { text: "x", key: "k" }, keys.mallory);
  expect(other.status).toBe(404);
  second.server.child.kill("SIGTERM");
  expect((await second.server.ended).code).toBe(0);
}, 120_000);
