// The command as people use it: what it refuses to start, and what it serves when it does.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { readOrigin } from "@turnseal/runtime/folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Started, startProgram } from "../start-program.test.data.ts";
import { SERVE_PORT_DEFAULT } from "./add-serve-command.ts";

const fixture = fileURLToPath(new URL("../__fixtures__/served.mjs", import.meta.url));
const digest = createHash("sha256").update("key-of-ada").digest("hex");
let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-serve-"));
});
afterAll(() => rmSync(root, { recursive: true }));

let files = 0;
function write(name: string, value: unknown): string {
  const file = join(root, `${++files}-${name}`);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}
const keysFile = (...tenants: string[]) =>
  write("keys.json", { keys: tenants.map((tenant) => ({ sha256: digest, tenant, id: "ada" })) });

function start(args: readonly string[], from = fixture): Started {
  return startProgram(["serve", "--from", from, "--store", join(root, "store"), ...args]);
}

test.each([
  ["nobody is known", () => [], "no authentication is configured"],
  [
    "anybody from anywhere",
    () => ["--insecure-localhost", "--bind", "0.0.0.0"],
    "--insecure-localhost listens on 127.0.0.1 only",
  ],
  [
    "keys and anybody",
    () => ["--insecure-localhost", "--keys", keysFile("default")],
    "--insecure-localhost cannot be combined",
  ],
  ["no file", () => ["--keys", join(root, "none.json")], "the file does not exist"],
  ["no JSON", () => ["--keys", write("keys.json", "keys")], "not JSON"],
  ["no list", () => ["--keys", write("keys.json", {})], "there is no list `keys`"],
  ["nobody in it", () => ["--keys", keysFile()], "the list `keys` is empty"],
  ["no port", () => ["--insecure-localhost", "--port", "65536"], "Write a port from 1 to 65535."],
  [
    "no origin",
    () => ["--insecure-localhost", "--origin", "shop"],
    "--origin shop is not an origin",
  ],
  [
    "a page for an origin",
    () => ["--insecure-localhost", "--origin", "https://shop.example", "https://shop.example/a"],
    "--origin https://shop.example/a is not an origin",
  ],
  [
    "a key instead of its digest",
    () => ["--keys", write("keys.json", { keys: [{ sha256: "key", tenant: "a", id: "b" }] })],
    "no sha256 of 64",
  ],
  [
    "two tenants in one folder",
    () => ["--keys", keysFile("one", "two")],
    "a folder holds the runs of one tenant",
  ],
])("%s: it does not start, and says what to do", async (_, args, message) => {
  const { ended, err } = start(args());
  expect(await ended).toBe(64);
  const said = err();
  expect(said).toContain(message);
  expect(said).toContain("next: ");
});

test("modules without agents are nothing to serve", async () => {
  const desk = fileURLToPath(new URL("../__fixtures__/desk.mjs", import.meta.url));
  const { ended, err } = start(["--insecure-localhost"], desk);
  expect(await ended).toBe(64);
  expect(err()).toContain("no module exports agents");
});

test("an agent whose grant is none is found before anything is served", async () => {
  const module = write(
    "agents.mjs",
    `export { chat } from ${JSON.stringify(fixture)};
     import { chat } from ${JSON.stringify(fixture)};
     export const agents = { chat: { loop: chat, grant: { tools: "all" } } };`,
  );
  const { ended, err } = start(["--insecure-localhost"], module);
  expect(await ended).toBe(64);
  expect(err()).toContain("the agent chat cannot be started");
});

test("a port that is taken is said, and not waited for", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { ended, err } = start(["--insecure-localhost", "--port", String(port)]);
  expect(await ended).toBe(64);
  expect(err()).toContain("EADDRINUSE");
  other.close();
  expect(SERVE_PORT_DEFAULT).toBe(8787);
});

test("it serves to whoever has a key, and to nobody else", async () => {
  const keys = ["--keys", keysFile("default"), "--port", String(await findFreePort())];
  const first = start(keys);
  const url = await first.ready;
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${url}/v1/openapi.json`, { headers })).status;
  };
  expect([await ask("key-of-ada"), await ask("key-of-bob")]).toEqual([200, 401]);
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  process.emit("SIGTERM");
  expect(await first.ended).toBe(0);
  await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
});

test("without keys it serves this machine, and goes on with its runs later", async () => {
  const served = start(["--insecure-localhost", "--port", String(await findFreePort())]);
  const url = await served.ready;
  expect(served.out()).toContain("none: localhost only");
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { run } = (await (
    await post("/v1/runs", { agent: "chat", input: { text: "one" } })
  ).json()) as { run: string };
  const texts = async () => {
    const page = await (await fetch(`${url}/v1/runs/${run}/events`)).json();
    return (page as { events: { content: { text: string } }[] }).events.map(
      ({ content }) => content.text,
    );
  };
  while ((await texts()).length < 2) await new Promise((resume) => setTimeout(resume, 10));
  await post(`/v1/runs/${run}/messages`, { text: "two", key: "1" });
  while ((await texts()).length < 4) await new Promise((resume) => setTimeout(resume, 10));
  expect(await texts()).toEqual([
    "one",
    "scripted answer to: one",
    "two",
    "scripted answer to: two",
  ]);
  process.emit("SIGTERM");
  expect(await served.ended).toBe(0);
  const again = start(["--insecure-localhost", "--port", String(await findFreePort())]);
  await again.ready;
  expect(again.out()).toMatch(/resumed +\d/);
  process.emit("SIGTERM");
  expect(await again.ended).toBe(0);
});

const agent = (name: string, budget: object) =>
  write(
    `${name}.mjs`,
    `export { chat } from ${JSON.stringify(fixture)};
     import { chat } from ${JSON.stringify(fixture)};
     const grant = { grantor: "ada", tools: [], budget: ${JSON.stringify(budget)} };
     export const agents = { chat: { loop: chat, grant } };`,
  );

test("a budget in money is counted by the prices of a file, and refused without", async () => {
  const price = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 1_000_000 };
  const prices = write("prices.json", {
    asOf: "2030-01-31",
    models: { "scripted/scripted": price },
  });
  const module = agent("money", { moneyMicros: 1_000_000 });
  const ask = async (...more: string[]) => {
    const port = String(await findFreePort());
    const served = start(["--insecure-localhost", "--port", port, ...more], module);
    const started = await fetch(`${await served.ready}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agent: "chat", input: { text: "one" } }),
    });
    const { run } = (await started.json()) as { run: string };
    const readStopped = async (): Promise<string | null | undefined> => {
      const shown = await fetch(`${await served.ready}/v1/runs/${run}`);
      return ((await shown.json()) as { stopped?: string | null }).stopped;
    };
    while (typeof (await readStopped()) !== "string")
      await new Promise((resume) => setTimeout(resume, 10));
    const stopped = await readStopped();
    process.emit("SIGTERM");
    await served.ended;
    const noted = await readOrigin(join(root, "store"), run);
    return { stopped, out: served.out(), prices: noted?.prices };
  };
  const counted = await ask("--prices", prices);
  expect(counted.stopped).toBe("goal-reached");
  expect(counted.out).toContain("prices    of 2030-01-31, for budgets with moneyMicros");
  expect(counted.prices).toBe(prices);
  expect(await ask()).toMatchObject({ stopped: "budget-exhausted", prices: undefined });
});

test("what was counted in money is counted when the run is resumed, without a budget", async () => {
  const price = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 1_000_000 };
  const models = { "scripted/scripted": price };
  const prices = write("prices.json", { asOf: "2030-01-31", models });
  const port = String(await findFreePort());
  const served = start(["--insecure-localhost", "--port", port, "--prices", prices]);
  const runs = `${await served.ready}/v1/runs`;
  const started = await fetch(runs, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: "chat", input: { text: "one" } }),
  });
  const { run } = (await started.json()) as { run: string };
  const readPage = async () => (await fetch(`${runs}/${run}/events`)).text();
  while (!(await readPage()).includes("answer to: one"))
    await new Promise((resume) => setTimeout(resume, 10));
  process.emit("SIGTERM");
  await served.ended;
  const wrong = write("wrong.json", { asOf: "2030-01-31" });
  const args = ["resume", run, "--store", join(root, "store"), "--prices", wrong];
  const { ended, err } = startProgram(args);
  expect(await ended).toBe(64);
  expect(err()).toContain("is not a table of prices");
});

test("prices that cannot be read, or that would be ignored, are refused", async () => {
  const wrong = write("wrong.json", { asOf: "2030-01-31" });
  const { ended, err } = start(["--insecure-localhost", "--prices", wrong]);
  expect(await ended).toBe(64);
  expect(err()).toContain("is not a table of prices");
  const away = start([
    ...["--insecure-localhost", "--prices", wrong, "--host", "http://127.0.0.1:1"],
    ...["--postgres", "postgres://ada@127.0.0.1:1/none"],
  ]);
  expect(await away.ended).toBe(64);
  expect(away.err()).toContain("turnseal worker --prices <file>");
});
