// The limits of a tenant, for each day and each second, on two workers.
import { openTenantBook, type TenantBook, type TenantLimits } from "@turnseal/adapters/postgres";
import { scriptedModel } from "@turnseal/ports";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, TENANT } from "./durable-world.ts";

const TOKENS = 10;
const any = jsonSchema<object>(true);
const ask = definePrompt({
  ...{ id: "ask", version: "1.0.0", input: any, output: any, template: "Say it" },
});
const work = defineTool({
  ...{ id: "work", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
  run: () => ({}),
});
const usage = { inputTokens: TOKENS - 1, outputTokens: 1 };
const reply = { json: { isDone: false }, usage };
const models = { scripted: scriptedModel(Array.from({ length: 1_000 }, () => reply)) };
const goal = { path: "$.output.isDone", equals: true };

let world: DurableWorld;
let book: TenantBook;
beforeAll(async () => {
  world = await openDurableWorld({ loops: [ask, work], models });
  book = await openTenantBook({ url: world.databaseUrl });
  await book.add(TENANT, "e2e");
});
afterAll(async () => {
  await book?.close();
  await world?.close();
});

/** A change holds on all workers once each has read it again. */
async function limit(limits: TenantLimits): Promise<void> {
  await book.change(TENANT, { limits }, "e2e");
  await new Promise((resume) => setTimeout(resume, 3_500));
}

const showAll = (runs: readonly string[]) => Promise.all(runs.map((run) => world.host.show(run)));

test("once a day's tokens are spent no turn begins, and runs go on with more", async () => {
  await limit({ tokensPerDay: 20 * TOKENS });
  const first = await world.startWorker({ servesAll: true, slots: 4, sharesPort: true });
  // Named tenants are held to the limits of the database, too.
  await world.startWorker({
    slots: 4,
    port: Number(new URL(first.uri).port),
    sharesPort: true,
    isDeployed: false,
  });
  const grant = { grantor: "e2e", tools: [], budget: {} };
  const start = () => world.host.start(ask, {}, { grant, bounds: { turnsMax: 30, goal } });
  const runs = await Promise.all(Array.from({ length: 4 }, start));
  const blocked = await world.until(async () => {
    const shown = await showAll(runs);
    return shown.every((run) => run?.blocked?.cause === "limited") ? shown : undefined;
  });
  const turns = blocked.reduce((sum, run) => sum + (run?.turns ?? 0), 0);
  // As many turns ran over it as were under way at most.
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(turns).toBeLessThanOrEqual(20 + 4);
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  for (const run of blocked)
    expect(run?.blocked).toMatchObject({ what: "tokens-per-day", until: midnight.toISOString() });
  await limit({ tokensPerDay: 1_000 * TOKENS });
  for (const run of runs) await world.ingress.look(run);
  for (const run of runs) expect(await world.stoppedOf(run)).toBe("turns-exhausted");
});

test("starts above the pace wait for their places, in the engine, and all start", async () => {
  const perSecond = 2;
  await limit({ startsPerSecond: perSecond });
  const grant = { grantor: "e2e", tools: ["local.work"], budget: {} };
  const start = () => world.host.start(work, {}, { grant });
  const fromMs = Date.now();
  const runs = await Promise.all(Array.from({ length: 12 }, start));
  for (const run of runs) expect(await world.stoppedOf(run)).toBe("goal-reached");
  expect(Date.now() - fromMs).toBeGreaterThan(4_500);
  const startedAt: number[] = [];
  let blocks = 0;
  for (const run of runs)
    for (const event of await world.stores.log.read(run, 1)) {
      if (event.type === "turn.started") startedAt.push(Date.parse(event.at));
      if (event.type === "run.blocked") blocks += 1;
    }
  startedAt.sort((one, other) => one - other);
  // One second's worth at once, and then one behind the other.
  for (const [at, startMs] of startedAt.entries())
    expect(startMs - (startedAt[0] ?? 0)).toBeGreaterThan(
      ((at - perSecond) * 1_000) / perSecond - 300,
    );
  // Each that waited says so once.
  expect(blocks).toBeGreaterThanOrEqual(1);
  expect(blocks).toBeLessThanOrEqual(12 - perSecond + 1);
});
