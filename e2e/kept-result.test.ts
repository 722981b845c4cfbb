// A database that is away just after a tool has acted: what the tool gave is not thrown away.
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { advance, bindHost, createLocalHost } from "@turnseal/host";
import { createMemorySigner, randomIds, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DatabaseGate, openGate } from "../proofs/chaos/database-gate.ts";
import { createDatabase, dropDatabase } from "./durable-world.ts";

const AWAY_MS = 3_000;
const any = jsonSchema<object>(true);
let databaseUrl: string;
let gate: DatabaseGate;
let acted = 0;

/** Cuts the database off the first time that it acts, for a while that begins with its end. */
const pay = defineTool({
  ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
  policy: { timeoutMs: 60_000 },
  run: () => {
    acted += 1;
    if (acted > 1) return {};
    gate.leadTo(1);
    setTimeout(() => gate.leadTo(portOf(databaseUrl)), AWAY_MS);
    return {};
  },
});

const portOf = (url: string): number => Number(new URL(url).port || 5432);

beforeAll(async () => {
  databaseUrl = await createDatabase();
  await migratePostgres({ url: databaseUrl });
  gate = await openGate(portOf(databaseUrl));
});
afterAll(async () => {
  gate?.close();
  await dropDatabase(databaseUrl);
});

test.each([
  ["kept, and the tool acts once", true, 1],
  ["lost without that, and it acts again", false, 2],
])("a result whose store is away is %s", async (_, keepsResults, times) => {
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(gate.port);
  const stores = await openPostgresStores({ url: url.href, tenant: "e2e" });
  const signer = await createMemorySigner();
  const parts = { loops: [pay], stores, signer, clock: systemClock, ids: randomIds };
  const host = createLocalHost(parts);
  const grant = { grantor: "e2e", tools: ["local.pay"], budget: {} };
  const run = await host.start(pay, {}, { grant });
  acted = 0;
  try {
    for (let attempts = 0; (await host.show(run).catch(() => null))?.stopped == null; attempts++) {
      expect(attempts).toBeLessThan(60);
      await advance(run, bindHost(parts), { keepsResults }).catch(() => {});
      if (!keepsResults) await new Promise((resume) => setTimeout(resume, 500));
    }
    expect(await host.show(run)).toMatchObject({ stopped: "goal-reached" });
    expect(acted).toBe(times);
  } finally {
    await stores.close();
  }
});
