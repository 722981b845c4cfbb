// A server under an engine serves every tenant that is added to the database while it runs.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTenantBook, type TenantBook } from "@turnseal/adapters/postgres";
import type { HostOptions } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { findFreePort, postJson } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandWorld, openCommandWorld, type Running, until } from "./command-world.ts";
import { type DurableWorld, openDurableWorld } from "./durable-world.ts";

const LOOPS = fileURLToPath(new URL("../apps/cli/src/__fixtures__/served.mjs", import.meta.url));
const KEY = "key-of-ada";
let world: DurableWorld;
let commands: CommandWorld;
let book: TenantBook;
let server: Running;
let url = "";

beforeAll(async () => {
  const { chat } = (await import(LOOPS)) as { readonly chat: HostOptions["loops"][number] };
  world = await openDurableWorld({ loops: [chat] });
  commands = openCommandWorld();
  book = await openTenantBook({ url: world.databaseUrl });
  await world.startWorker({ servesAll: true });
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const keys = [{ sha256, tenant: "acme", id: "ada" }];
  writeFileSync(join(commands.folder, "keys.json"), JSON.stringify({ keys }));
  server = commands.start([
    ...["serve", "--from", LOOPS, "--keys", "keys.json", "--port", String(await findFreePort())],
    ...["--host", world.engine().ingress, "--postgres", world.databaseUrl],
  ]);
  url = await until(() => /serving (\S+)/.exec(server.out())?.[1], 60_000);
}, 120_000);
afterAll(async () => {
  server?.child.kill("SIGTERM");
  await server?.ended;
  await book?.close();
  await commands?.close();
  await world?.close();
});

async function ask(path: string, body?: object) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1/${path}`, { headers, ...sent });
  return { status: response.status, text: await response.text() };
}

const start = () => ask("runs", { agent: "chat", input: { text: "one" } });
const transcriptOf = async (run: string) => (await ask(`runs/${run}/transcript`)).text;

/** Longer than a worker relies on what it knows of a tenant. */
const forget = () => new Promise((resume) => setTimeout(resume, 3_200));

test("tenants are added, suspended, resumed and deleted while a server runs", async () => {
  expect(await start()).toMatchObject({
    status: 403,
    text: expect.stringContaining("TENANT_UNKNOWN"),
  });
  await book.add("acme", "e2e");
  const started = await until(async () => {
    const answer = await start();
    return answer.status === 201 ? answer.text : undefined;
  }, 10_000);
  const { run } = JSON.parse(started) as { readonly run: string };
  await until(async () => (await transcriptOf(run)).includes("answer to: one") || undefined);

  await book.change("acme", { state: "suspended" }, "e2e");
  await forget();
  // The message is stored, and no turn begins.
  expect((await ask(`runs/${run}/messages`, { text: "two", key: "k" })).status).toBe(202);
  expect((await ask(`runs/${run}/messages`, { text: "two", key: "k" })).status).toBe(202);
  expect((await start()).status).toBe(201);
  await new Promise((resume) => setTimeout(resume, 1_000));
  expect(await transcriptOf(run)).not.toContain("answer to: two");

  await book.change("acme", { state: "active" }, "e2e");
  await forget();
  const { ingress } = world.engine();
  await createIngress({ ingress, tenant: "acme", post: postJson }).look(run);
  await until(async () => (await transcriptOf(run)).includes("answer to: two") || undefined);

  await book.change("acme", { state: "suspended" }, "e2e");
  await book.remove("acme", "e2e");
  await until(async () => (await start()).status === 403 || undefined, 10_000);
  expect((await ask(`runs/${run}`)).status).toBe(403);
  expect((await ask(`runs/${run}/messages`, { text: "x", key: "x" })).status).toBe(403);
}, 60_000);
