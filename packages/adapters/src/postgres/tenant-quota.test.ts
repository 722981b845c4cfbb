// The usage of a tenant's limits, counted by all workers in the database.
import { randomUUID } from "node:crypto";
import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import { headAfter } from "@turnseal/ports/contracts";
import { EMPTY_HEAD, type EventOf, type Head, type LoopEvent } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresPool, type PostgresPool } from "./postgres-pool.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { STRIPES } from "./statements/append-spent.ts";
import { openTenantBook } from "./tenant-book.ts";
import { sumSpent } from "./tenant-spent.ts";

let scratch: Scratch;
let pools: readonly PostgresPool[];
beforeAll(async () => {
  scratch = await createScratch();
  const open = () => openPostgresPool({ url: scratch.url, roles: TEST_ROLES });
  pools = [await open(), await open()];
});
afterAll(async () => {
  for (const pool of pools) await pool.close();
  await scratch.drop();
});

const poolAt = (at: number): PostgresPool => pools[at % pools.length] as PostgresPool;
const always = { isCounted: () => true, onCounted: () => {} };
const cost = { inputTokens: 70, outputTokens: 30, moneyMicros: 5, modelCalls: 1 };

type Settled = EventOf<"action.settled">["content"];
const settledModel: Settled = { ...SAMPLE_CONTENTS.settledModel, spent: cost };

function settle(run: string, content: Settled, after: Head = EMPTY_HEAD): LoopEvent {
  const at = "2026-01-31T12:00:00.000Z";
  const place = { run, sequence: after.sequence + 1, at, previous: after.hash };
  return sampleEvent("action.settled", content, place);
}

/** One append of a run that settles a model's answer. */
async function spend(pool: PostgresPool, tenant: string, counting = always) {
  const run = randomUUID();
  const stores = pool.forTenant(tenant, counting);
  const { epoch, head } = await stores.log.takeEpoch(run);
  const events = [settle(run, settledModel, head)].map((event) => ({ ...event, epoch }));
  const append = { run, epoch, after: head, events, blobs: [], consumed: [] };
  expect((await stores.log.append(append)).kind).toBe("appended");
  return { stores, append };
}

test("what many runs spend on several workers is one sum, of their tenant alone", async () => {
  const runs = 60;
  await Promise.all(Array.from({ length: runs }, (_, at) => spend(poolAt(at), "many")));
  const today = await poolAt(0).quotaOf("many").readSpent();
  expect(today).toMatchObject({ tokens: 100 * runs, moneyMicros: 5 * runs });
  expect(await poolAt(1).quotaOf("other").readSpent()).toMatchObject({ tokens: 0, moneyMicros: 0 });
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  expect(today.endsAtMs).toBe(midnight.getTime());
  const session = await scratch.connect();
  const [rows] = await session.query("select count(*)::int as count from turnseal.tenant_spent");
  expect(Number(rows?.["count"])).toBeGreaterThan(1);
  expect(Number(rows?.["count"])).toBeLessThanOrEqual(STRIPES);
});

test("an append that is asked again, or loses its race, counts nothing", async () => {
  const { stores, append } = await spend(poolAt(0), "once");
  expect((await stores.log.append(append)).kind).toBe("duplicate");
  const after = headAfter(append);
  await stores.log.takeEpoch(append.run);
  const late = { ...append, after, events: [settle(append.run, settledModel, after)] };
  expect((await stores.log.append(late)).kind).toBe("fenced");
  expect(await poolAt(0).quotaOf("once").readSpent()).toMatchObject({ tokens: 100 });
});

test("a tenant without such a limit has no row", async () => {
  await spend(poolAt(0), "free", { ...always, isCounted: () => false });
  const session = await scratch.connect();
  const sql = "select from turnseal.tenant_spent where tenant = 'free'";
  expect(await session.query(sql)).toHaveLength(0);
});

test("at midnight the sum begins anew, in the same rows", async () => {
  await spend(poolAt(0), "daily");
  const session = await scratch.connect();
  await session.query(
    "update turnseal.tenant_spent set day = day - 1, tokens = 999 where tenant = 'daily'",
  );
  const { readSpent } = poolAt(0).quotaOf("daily");
  expect(await readSpent()).toMatchObject({ tokens: 0 });
  const runs = 4 * STRIPES;
  await Promise.all(Array.from({ length: runs }, (_, at) => spend(poolAt(at), "daily")));
  expect(await readSpent()).toMatchObject({ tokens: 100 * runs, moneyMicros: 5 * runs });
});

test("a run below counts for itself, and an unknown end for all that it reserved", () => {
  const run = randomUUID();
  const resolved = SAMPLE_CONTENTS.resolved;
  const place = { run, sequence: 1, at: "2026-01-31T12:00:00.000Z" };
  const resolve = (resolution: typeof resolved.resolution) =>
    sampleEvent("action.resolved", { ...resolved, resolution, reserve: cost }, place);
  const handoff: Settled = { ...SAMPLE_CONTENTS.settledHandoff, spent: cost };
  expect(sumSpent([settle(run, handoff)])).toBeUndefined();
  expect(sumSpent([settle(run, settledModel), settle(run, handoff)])).toEqual({
    ...{ tokens: 100, moneyMicros: 5 },
  });
  expect(sumSpent([resolve("orphaned")])).toEqual({ tokens: 100, moneyMicros: 5 });
  expect(sumSpent([resolve("again")])).toBeUndefined();
});

test("after one second's worth, starts have places behind one another", async () => {
  const taken = await Promise.all(
    Array.from({ length: 40 }, (_, at) => poolAt(at).quotaOf("paced").takeStarts(1, 10)),
  );
  const places = taken.map(({ firstAtMs }) => firstAtMs).sort((one, other) => one - other);
  const nowMs = Math.max(...taken.map((each) => each.nowMs));
  const span = (places.at(-1) ?? 0) - (places[0] ?? 0);
  expect(span).toBeGreaterThan(3_800);
  expect(places.at(-1)).toBeGreaterThan(nowMs + 1_000);
  const many = await poolAt(0).quotaOf("paced").takeStarts(10, 10);
  expect(many.firstAtMs - (places.at(-1) ?? 0)).toBeLessThan(110);
  expect((await poolAt(0).quotaOf("other").takeStarts(10, 10)).firstAtMs).toBeLessThan(nowMs + 60);
});

test("another pace begins anew: places that were taken before are nobody's", async () => {
  const book = await openTenantBook({ url: scratch.url, roles: TEST_ROLES });
  await book.add("hurried", "ada");
  const { takeStarts } = poolAt(0).quotaOf("hurried");
  await takeStarts(1_000, 1);
  expect((await takeStarts(1, 1)).firstAtMs).toBeGreaterThan(Date.now() + 900_000);
  await book.change("hurried", { weight: 2 }, "ada");
  expect((await takeStarts(1, 1)).firstAtMs).toBeGreaterThan(Date.now() + 900_000);
  await book.change("hurried", { limits: { startsPerSecond: 50 } }, "ada");
  expect((await takeStarts(1, 50)).firstAtMs).toBeLessThanOrEqual(Date.now());
  await book.close();
});
