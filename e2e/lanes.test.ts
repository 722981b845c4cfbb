// More messages than slots: they queue in lanes of the engine, and survive what fails meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { openTenantBook } from "@turnseal/adapters/postgres";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, TENANT } from "./durable-world.ts";

const RUNS = Number(process.env["TURNSEAL_LANES_RUNS"] ?? 100);
const SLOTS = 4;
const ACT_MS = 60;

let world: DurableWorld;
let acting = 0;
let actingMost = 0;
const acted = new Map<string, number>();

const any = jsonSchema<object>(true);
const work = defineTool({
  ...{ id: "work", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
  run: async (_: object, { key }) => {
    acting += 1;
    actingMost = Math.max(actingMost, acting);
    await sleep(ACT_MS);
    acting -= 1;
    acted.set(key, (acted.get(key) ?? 0) + 1);
    return {};
  },
});

beforeAll(async () => {
  world = await openDurableWorld({ loops: [work] });
});
afterAll(async () => {
  await world?.close();
});

const countLanes = async (): Promise<number> => {
  const query = `select count(*) as lanes from sys_invocation
    where target_service_name = 'Lane' and status <> 'completed'`;
  const [row] = await world.admin().query(query);
  return Number(row?.["lanes"]);
};

test("a burst queues in the engine, outlives it and its worker, and ends once", async () => {
  const first = await world.startWorker({ slots: SLOTS });
  const grant = { grantor: "e2e", tools: ["local.work"], budget: {} };
  const start = () => world.host.start(work, {}, { grant });
  const runs = await Promise.all(Array.from({ length: RUNS }, start));
  await world.until(async () => ((await countLanes()) > 10 ? true : undefined));
  expect(actingMost).toBeLessThanOrEqual(SLOTS);
  await world.restartEngine();
  await first.cut();
  const port = Number(new URL(first.uri).port);
  // At the same address, as a worker that was started again: nothing is told to the engine.
  await world.startWorker({ slots: SLOTS, port, isDeployed: false });
  for (const run of runs) expect(await world.stoppedOf(run)).toBe("goal-reached");
  expect(await world.until(async () => ((await countLanes()) === 0 ? 0 : undefined))).toBe(0);
  expect(acted.size).toBe(RUNS);
  // An action that was running when the engine restarted or the worker was cut acts again, under
  // its key.
  const again = [...acted.values()].filter((count) => count > 1);
  expect(again.length).toBeLessThanOrEqual(2 * SLOTS);
  expect(actingMost).toBeLessThanOrEqual(2 * SLOTS);
});

test("no more steps of a tenant are taken at once than its limit says", async () => {
  const book = await openTenantBook({ url: world.databaseUrl });
  await book.add(TENANT, "e2e");
  await book.change(TENANT, { limits: { concurrency: 2 } }, "e2e");
  await book.close();
  await world.startWorker({ slots: 8, servesAll: true });
  actingMost = 0;
  const grant = { grantor: "e2e", tools: ["local.work"], budget: {} };
  const start = () => world.host.start(work, {}, { grant });
  const runs = await Promise.all(Array.from({ length: 12 }, start));
  for (const run of runs) expect(await world.stoppedOf(run)).toBe("goal-reached");
  expect(actingMost).toBeGreaterThan(0);
  expect(actingMost).toBeLessThanOrEqual(2);
});
