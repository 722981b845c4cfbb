/** Databases of before segments: what they hold is there after the migration, to the byte. */
import { headAfter, sampleAppend, sampleMessage, sampleReceipt } from "@turnseal/ports/contracts";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { afterEach, expect, test } from "vitest";
import { migratePostgres } from "./migrate.ts";
import { createOldDatabase, type OldDatabase } from "./old-database.test.data.ts";
import { openPostgresStores } from "./postgres-pool.ts";
import { openReleaseBook } from "./release-book.ts";
import { type Session, TEST_ROLES } from "./scratch-database.test.data.ts";

const roles = TEST_ROLES;
const { run: RUN } = sampleAppend({ epoch: 1 });
const STATE = { turns: 1, startedAt: "2026-02-28T11:00:00.000Z", text: 'ä💡\n"' };
const OTHER_RUN = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A database as the last program made it that kept a row for each event. */
async function createOld(): Promise<OldDatabase> {
  const old = await createOldDatabase(5);
  cleanups.push(() => old.drop());
  return old;
}

/** Rows as that program wrote them. */
async function insertOld(session: Session, tenant: string, events: readonly LoopEvent[]) {
  const last = events.at(-1);
  const run = last?.run ?? "";
  await session.query("insert into turnseal.head values ($1, $2, 1, $3, $4)", [
    ...[tenant, run, last?.sequence, last?.hash],
  ]);
  for (const { run: _, sequence, ...body } of events)
    await session.query("insert into turnseal.event values ($1, $2, $3, $4)", [
      ...[tenant, run, sequence, canonicalize(body)],
    ]);
  const { turn, id, envelope } = sampleReceipt(1, run);
  await session.query("insert into turnseal.receipt values ($1, $2, $3, $4, $5)", [
    ...[tenant, run, turn, id, JSON.stringify(envelope)],
  ]);
  await session.query(
    `insert into turnseal.run (tenant, run, sequence, state, due_at) values ($1, $2, $3, $4, $5)`,
    [tenant, run, last?.sequence, STATE, "2026-02-28T12:00:00.500Z"],
  );
}

test("a log of before is read as it was, from anywhere in it, and goes on", async () => {
  const { url, session } = await createOld();
  const first = sampleAppend({ epoch: 1, count: 50, note: 'ä💡\n"' });
  const other = sampleAppend({ run: OTHER_RUN, epoch: 1, count: 1 });
  await insertOld(session, "ada", first.events);
  await insertOld(session, "ada", other.events);
  await insertOld(session, "grace", first.events.slice(0, 3));
  expect((await migratePostgres({ url, roles })).applied).toContain(6);
  const stores = await openPostgresStores({ url, tenant: "ada", roles });
  cleanups.push(() => stores.close());
  const { log, receipts, runs } = stores;
  expect(await log.read(RUN, 1)).toEqual(first.events);
  for (const [from, limit] of [
    [16, 2],
    [17, 1],
    [3, 40],
    [50, 9],
  ] as const)
    expect(await log.read(RUN, from, limit)).toEqual(
      first.events.slice(from - 1, from - 1 + limit),
    );
  expect(await log.read(OTHER_RUN, 1)).toEqual(other.events);
  expect(await receipts.list(RUN, 1)).toEqual([sampleReceipt(1)]);
  expect(await runs.read(RUN)).toMatchObject({
    ...{ sequence: 50, state: STATE, dueAt: "2026-02-28T12:00:00.500Z" },
  });
  expect((await stores.lists.listNewest()).map(({ run }) => run)).toEqual([OTHER_RUN, RUN]);
  // The old appends are known again, and the log goes on after them.
  expect((await log.append(first)).kind).toBe("duplicate");
  const { epoch } = await log.takeEpoch(RUN);
  const next = sampleAppend({ epoch, after: headAfter(first), count: 2 });
  expect((await log.append(next)).kind).toBe("appended");
  expect(await log.read(RUN, 49)).toEqual([...first.events.slice(48), ...next.events]);
  const grace = await openPostgresStores({ url, tenant: "grace", roles });
  cleanups.push(() => grace.close());
  expect(await grace.log.read(RUN, 1)).toEqual(first.events.slice(0, 3));
  expect((await grace.inbox.put(sampleMessage("hello"))).kind).toBe("stored");
});

test("what unfinished runs need is read before the migration, too", async () => {
  const { url, session } = await createOld();
  const { events } = sampleAppend({ epoch: 1, count: 20 });
  await insertOld(session, "ada", events);
  const book = await openReleaseBook({ url, roles });
  cleanups.push(() => book.close());
  expect(book.pending).toContainEqual({ number: 6, name: "segments", isShared: false });
  const reader = book.readerOf("ada");
  expect(await reader.lists.listUnfinished()).toMatchObject([
    { run: RUN, sequence: 20, state: { turns: 1 } },
  ]);
  expect(await reader.log.read(RUN, 17, 1)).toEqual(events.slice(16, 17));
  expect(await reader.log.read(RUN, 1)).toEqual(events);
  expect(await reader.lists.listUnfinished()).toEqual([{ run: RUN, sequence: 20, state: STATE }]);
  expect(await reader.runs.read(RUN)).toMatchObject({ sequence: 20, state: STATE });
});

test("a migration that fails leaves the database of before as it was", async () => {
  const { url, session } = await createOld();
  await insertOld(session, "ada", sampleAppend({ epoch: 1, count: 2 }).events);
  await session.query("create table turnseal.segment (id int)");
  await expect(migratePostgres({ url, roles })).rejects.toThrow("42P07");
  const [row] = await session.query("select count(*) as events from turnseal.event");
  expect(row).toEqual({ events: "2" });
});
