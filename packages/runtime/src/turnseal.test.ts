import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryKey } from "@turnseal/adapters/keys";
import { migratePostgres } from "@turnseal/adapters/postgres";
import {
  createMemorySigner,
  memoryStores,
  type Stores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import { definePrompt, defineTool } from "@turnseal/protocol/authoring";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { readPerson } from "./folder/read-person.ts";
import { type Turnseal, type TurnsealOptions, turnseal } from "./turnseal.ts";

const postgres =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

async function ask(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const folders: string[] = [];
const hosts: Turnseal[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-host-"));
  folders.push(folder);
  return join(folder, "store");
}

const signer = { ...(await createMemorySigner()), issuer: "hosted" as const };

async function open(options: TurnsealOptions = {}): Promise<Turnseal> {
  const host = await turnseal({ store: createFolder(), environment: {}, ...options });
  hosts.push(host);
  return host;
}

const order = z.object({ order: z.string() });
const text = z.object({ text: z.string() });
const pay = defineTool({
  ...{ id: "pay", input: order, output: z.object({ paid: z.boolean() }), effect: "idempotent" },
  run: () => ({ paid: true }),
});
const refund = definePrompt({
  ...{ id: "refund", input: order, output: text, tools: [pay], backend: { id: "clerk" } },
  template: "Refund {{order}}",
});
const refundParts = { id: "refund", input: order, output: text, template: "Refund {{order}}" };
const greet = definePrompt({ id: "greet", input: order, output: text, template: "Hi {{order}}" });
const clerk = () =>
  scriptedModel([{ toolCalls: [{ tool: "local__pay", input: { order: "A" } }] }, "paid"]);
const asking = {
  name: "payments",
  rules: [{ id: "pays", decision: "ask" as const, tools: ["local.pay"] }],
};

describe("a host that nothing is said to", () => {
  test("answers a prompt that names no tools, without a grant", async () => {
    const host = await open();
    expect(await host.run(greet, { order: "you" })).toMatchObject({
      status: "completed",
      output: { text: "scripted answer to: Hi you" },
    });
  });

  test("keeps its runs and keys in its folder, for a later process", async () => {
    const store = createFolder();
    const first = await open({ store, models: { clerk: clerk() } });
    const waiting = await first.run(refund, { order: "A" }, { grant: "its tools", policy: asking });
    expect(waiting).toMatchObject({ status: "waiting", requests: [{ name: "local.pay" }] });
    await first.close();
    hosts.length = 0;
    const second = await open({ store, models: { clerk: scriptedModel(["paid"]) } });
    const [request] = waiting.requests;
    const by = { id: "ada", roles: [] };
    await second.decide(waiting.run, request?.id ?? "", { choice: "approve", by });
    expect(await second.resume(refund, waiting.run)).toMatchObject({
      status: "completed",
      output: { text: "paid" },
    });
    expect(readdirSync(store)).toEqual(expect.arrayContaining(["keys", "runs.db"]));
  });
});

describe("the store", () => {
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };

  test("in memory leaves no file, and its receipts verify", async () => {
    const before = readdirSync(process.cwd());
    const host = await open({ store: ":memory:", models: { clerk: clerk() } });
    const { run, status } = await host.run(refund, { order: "A" }, { grant });
    expect(status).toBe("completed");
    expect(await host.verify(run)).toMatchObject({ valid: true, findings: [], runs: [{ run }] });
    expect(readdirSync(process.cwd())).toEqual(before);
  });

  test("may be given, and stays open when the host closes", async () => {
    const stores = memoryStores(systemClock);
    const host = await open({ store: stores, models: { clerk: clerk() }, signer });
    const { run } = await host.run(refund, { order: "A" }, { grant });
    await host.close();
    hosts.length = 0;
    expect(await stores.log.read(run, 1, 1)).toHaveLength(1);
  });

  test("in PostgreSQL is shared by two processes, and a tenant sees its own runs", async () => {
    const database = `turnseal_host_${randomUUID().replaceAll("-", "")}`;
    const url = new URL(postgres);
    url.pathname = `/${database}`;
    await ask(`create database ${database} template template0`);
    try {
      await migratePostgres({ url: url.href });
      const common = { store: url.href, signer };
      const first = await open({ ...common, models: { clerk: clerk() } });
      const { run, requests } = await first.run(refund, { order: "A" }, { grant, policy: asking });
      const second = await open({ ...common, models: { clerk: scriptedModel(["paid"]) } });
      const by = { id: "ada", roles: [] };
      await second.decide(run, requests[0]?.id ?? "", { choice: "approve", by });
      expect(await second.resume(refund, run)).toMatchObject({ status: "completed" });
      const other = await open({ ...common, tenant: "other" });
      expect(await other.show(run)).toBeUndefined();
      for (const host of hosts.splice(0)) await host.close();
    } finally {
      await ask(`drop database ${database} with (force)`);
    }
  });

  test("of a database that nothing answers at is an error", async () => {
    await expect(open({ store: "postgres://nobody@127.0.0.1:1/none" })).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
    });
  });
});

describe("a prompt without a backend", () => {
  const answer = scriptedModel(["hello"]);
  const released = definePrompt({ ...refundParts, version: "1.0.0" });

  test("is answered by a script where there is no other model", async () => {
    const host = await open({ store: ":memory:" });
    expect(await host.run(greet, { order: "you" })).toMatchObject({ status: "completed" });
  });

  test("is refused beside another model: BACKEND_UNBOUND names the models", async () => {
    for (const other of [{ models: { mine: answer } }, { environment: { OPENAI_API_KEY: "k" } }]) {
      const host = await open({ store: ":memory:", ...other });
      await expect(host.run(greet, { order: "you" })).rejects.toMatchObject({
        code: "BACKEND_UNBOUND",
        message: expect.stringMatching(/prompt greet: give the prompt .*(mine|openai)/),
      });
    }
  });

  test("is refused without the key of its backend, with the line to type", async () => {
    const host = await open({ store: ":memory:" });
    const keyed = definePrompt({ ...refundParts, backend: { id: "openai" } });
    await expect(host.run(keyed, { order: "A" })).rejects.toMatchObject({
      code: "BACKEND_UNBOUND",
      message: expect.stringMatching(/: export OPENAI_API_KEY=\.\.\.$/),
    });
  });

  test("is refused for a slip in a unit of its budget, which is named", async () => {
    const host = await open({ store: ":memory:" });
    const budget = JSON.parse('{ "modelCals": 3 }');
    const refused = host.run(greet, { order: "A" }, { grant: { tools: [], budget } });
    await expect(refused).rejects.toThrow(/no unit modelCals: did you mean modelCalls\?/);
  });

  test("is refused in production, and passes where `scripted` is bound", async () => {
    const strict = { store: ":memory:", production: true, signer };
    const refused = (await open(strict)).run(released, { order: "A" }, { grant: { tools: [] } });
    await expect(refused).rejects.toMatchObject({ code: "BACKEND_UNBOUND" });
    const host = await open({ ...strict, models: { scripted: answer } });
    const passed = host.run(released, { order: "A" }, { grant: { tools: [] } });
    expect(await passed).toMatchObject({ output: { text: "hello" } });
  });
});

describe("the verdict", () => {
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };

  test("finds an event that was changed after its receipt", async () => {
    const stores = memoryStores(systemClock);
    const read = stores.log.read.bind(stores.log);
    const changed: Stores = {
      ...stores,
      log: {
        ...stores.log,
        read: async (...given) =>
          (await read(...given)).map((event) =>
            event.type === "action.settled" ? { ...event, at: "2020-01-01T00:00:00.000Z" } : event,
          ),
      },
    };
    const honest = await open({ store: stores, models: { clerk: clerk() } });
    const { run } = await honest.run(refund, { order: "A" }, { grant });
    expect(await honest.verify(run)).toMatchObject({ valid: true });
    const other = await open({ store: changed });
    expect(await other.verify(run)).toMatchObject({ valid: false });
  });

  test("of a run that is not there is not valid", async () => {
    const host = await open({ store: ":memory:" });
    const run = "7d4f0a52-3c6b-4e19-9a75-0c1b2d3e4f50";
    expect(await host.verify(run)).toEqual({ valid: false, runs: [], findings: [] });
  });

  test("trusts only keys that signed in its own store", async () => {
    const stores = memoryStores(systemClock);
    const first = await open({ store: stores, models: { clerk: clerk() }, signer });
    const { run } = await first.run(refund, { order: "A" }, { grant });
    const second = await open({ store: stores, signer: memoryKey() });
    expect(await second.verify(run)).toMatchObject({ valid: false });
  });
});

describe("the grant", () => {
  test("of its tools names those that the loop can call, by whoever runs the program", async () => {
    const host = await open({ models: { clerk: clerk() } });
    const run = await host.start(refund, { order: "A" }, { grant: "its tools" });
    await host.drive(run);
    const { spec, stopped } = (await host.show(run)) ?? {};
    expect(spec?.grant).toMatchObject({
      ...{ grantor: readPerson(), tools: ["local.pay"], budget: {} },
    });
    expect(stopped).toBe("goal-reached");
  });

  test("of its tools may have a budget, and another grantor", async () => {
    const host = await open({ models: { clerk: clerk() } });
    const grant = { grantor: "ada", tools: "its tools", budget: { modelCalls: 1 } } as const;
    expect(await host.run(refund, { order: "A" }, { grant })).toMatchObject({
      ...{ status: "stopped", reason: "budget-exhausted" },
    });
  });

  test("is needed by a loop with tools: GRANT_REFUSED names them", async () => {
    const host = await open({ models: { clerk: clerk() } });
    await expect(host.run(refund, { order: "A" })).rejects.toMatchObject({
      code: "GRANT_REFUSED",
      message: expect.stringContaining("refund can call local.pay, and the run has no grant"),
    });
  });

  test("is explicit in production: GRANT_REFUSED, also by NODE_ENV", async () => {
    const released = definePrompt({ ...refundParts, version: "1.0.0" });
    const message = expect.stringContaining("is for development");
    for (const mode of [{ production: true }, { environment: { NODE_ENV: "production" } }]) {
      const host = await open({ ...mode, signer, models: { scripted: clerk() } });
      const run = host.run(released, { order: "A" }, { grant: "its tools" });
      await expect(run).rejects.toMatchObject({ code: "GRANT_REFUSED", message });
    }
  });
});

test("the process is in production whatever environment is given", async () => {
  vi.stubEnv("NODE_ENV", "production");
  try {
    const environment = { OPENAI_API_KEY: "key" };
    await expect(open({ environment })).rejects.toMatchObject({ code: "SIGNER_REFUSED" });
    const host = await open({ environment, production: false });
    await host.close();
  } finally {
    vi.unstubAllEnvs();
  }
});

describe("a loop without a version", () => {
  test("is 0.0.0-dev, and a run is held to what it was", async () => {
    const store = createFolder();
    const host = await open({ store });
    const run = await host.start(definePrompt(refundParts), { order: "A" });
    expect((await host.drive(run)).dues).toEqual({ kind: "done" });
    const { spec } = (await host.show(run)) ?? {};
    expect(spec).toMatchObject({ version: "0.0.0-dev" });
    const waiting = await host.start(definePrompt(refundParts), { order: "B" }, { key: "b" });
    const other = await open({ store });
    const changed = definePrompt({ ...refundParts, template: "Do refund {{order}}" });
    expect(await other.resume(changed, waiting)).toMatchObject({ status: "blocked" });
  });

  test("is refused in production, also as a tool: LOOP_REFUSED", async () => {
    const host = await open({ production: true, signer });
    const grant = { tools: [] };
    for (const loop of [refund, definePrompt({ ...refundParts, tools: [pay], version: "1.0.0" })])
      await expect(host.run(loop, { order: "A" }, { grant })).rejects.toMatchObject({
        code: "LOOP_REFUSED",
        message: expect.stringContaining("it has no version, which production needs"),
      });
    await expect(open({ production: true, loops: [refund] })).rejects.toMatchObject({
      code: "LOOP_REFUSED",
    });
  });
});

test("a key that anybody can make is refused in production: SIGNER_REFUSED", async () => {
  await expect(open({ production: true })).rejects.toMatchObject({ code: "SIGNER_REFUSED" });
});

test("two loops of one name and other content are refused: LOOP_REFUSED", async () => {
  const host = await open();
  await host.run(greet, { order: "A" });
  const other = definePrompt({ ...refundParts, id: "greet" });
  await expect(host.run(other, { order: "A" })).rejects.toMatchObject({ code: "LOOP_REFUSED" });
});
