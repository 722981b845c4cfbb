import { randomUUID } from "node:crypto";
import {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "@turnseal/ports/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ArchiveBook, HELD_LIST_MAX, openArchiveBook } from "./archive-book.ts";
import type { PostgresStores } from "./postgres-pool.ts";
import {
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";
import { PLACES_LIST_MAX } from "./statements/list-archive-places.ts";

let scratch: Scratch;
let book: ArchiveBook;
let session: Session;
beforeAll(async () => {
  scratch = await createScratch();
  book = await openArchiveBook({ url: scratch.url, roles: TEST_ROLES });
  session = await scratch.connect();
});
afterAll(async () => {
  await book.close();
  await scratch.drop();
});

const endedAt = "2026-01-31T12:00:00.000Z";
const blob = sampleBlob("x");

interface Begun {
  readonly tenant: string;
  readonly run: string;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly epoch: number;
}

/** A run with everything that one has much of. */
async function begin(
  stores: PostgresStores,
  tenant: string,
  snapshot: object = { endedAt },
): Promise<Begun> {
  const run = randomUUID();
  await book.notePlace(tenant, "/archive");
  const { epoch } = await stores.log.takeEpoch(run);
  await stores.blobs.keepKey(run, new Uint8Array(32));
  const carried = {
    ...{ blobs: [blob], receipt: sampleReceipt(1, run) },
    snapshot: { run, sequence: 3, state: {}, ...snapshot },
  };
  const append = sampleAppend({ run, epoch, count: 3 }, carried);
  expect((await stores.log.append(append)).kind).toBe("appended");
  return { tenant, run, epoch, head: headAfter(append) };
}

const noteOf = ({ tenant, run, head }: Begun) => ({
  ...{ tenant, run, head, hasContent: true, place: "/archive" },
});

async function newest(): Promise<number> {
  return (await book.listPeriods()).at(-1)?.number ?? 0;
}

const tablesOf = async (period: number) =>
  session.query(
    "select from pg_tables where schemaname = 'turnseal' and tablename like '%\\_t' || $1",
    [String(period)],
  );

test("a period goes as a whole when each of its runs is archived or kept", async () => {
  const stores = await scratch.open({ tenant: "ada" });
  const period = await newest();
  const ended = await begin(stores, "ada");
  const parked = await begin(stores, "ada", {});
  await book.openPeriod(period);
  await book.openPeriod(period);
  expect(await newest()).toBe(period + 1);
  const later = await begin(stores, "ada");
  expect(await book.listHeld(period)).toEqual(
    expect.arrayContaining([
      { tenant: "ada", run: ended.run, endedAt },
      { tenant: "ada", run: parked.run },
    ]),
  );
  expect(await book.drop(period)).toBe(false);
  expect(await book.note(noteOf(ended))).toBe("archived");
  expect(await book.note(noteOf(ended))).toBe("archived");
  expect(await book.drop(period)).toBe(false);
  await book.keep(parked);
  await book.keep(parked);
  expect(await book.listHeld(0)).toEqual([{ tenant: "ada", run: parked.run }]);
  expect(await tablesOf(period)).toHaveLength(3);
  expect(await book.drop(period)).toBe(true);
  expect(await tablesOf(period)).toEqual([]);
  expect(await book.drop(period)).toBe(false);
  // The newest period is never dropped, also when nothing is in it.
  expect(await book.drop(period + 1)).toBe(false);
  for (const { run, epoch, head } of [parked, later]) {
    expect((await stores.log.read(run, 1)).length).toBe(3);
    expect((await stores.receipts.list(run, 1)).length).toBe(1);
    expect(await stores.blobs.read(run, blob.digest)).toEqual(blob.bytes);
    const more = sampleAppend({ run, epoch, after: head, count: 2 });
    expect((await stores.log.append(more)).kind).toBe("appended");
    expect((await stores.log.read(run, 1)).length).toBe(5);
  }
  expect(await stores.log.read(ended.run, 1)).toEqual([]);
  const { head, run } = ended;
  const noted = [
    { run, head, place: "/archive", hasContent: true, archivedAt: expect.any(String) },
  ];
  expect(await stores.listArchived([run, parked.run, "none"])).toEqual(noted);
  const other = await scratch.open({ tenant: "grace" });
  expect(await other.listArchived([run])).toEqual([]);
});

test("each place of a tenant is known before anything is there, however many", async () => {
  const stores = await scratch.open({ tenant: "many-places" });
  const ended = await begin(stores, "many-places");
  expect(await stores.listArchivePlaces()).toEqual(["/archive"]);
  // Without a named place there is no archived run: an erasure would not look there.
  await expect(book.note({ ...noteOf(ended), place: "/elsewhere" })).rejects.toThrow();
  const places = ["/archive"];
  for (const count of [PLACES_LIST_MAX, PLACES_LIST_MAX + 1]) {
    while (places.length < count) {
      places.push(`/archive/${places.length}`);
      await book.notePlace("many-places", places.at(-1) ?? "");
    }
    await book.notePlace("many-places", "/archive");
    expect(await stores.listArchivePlaces()).toEqual(places.toSorted());
  }
  const other = await scratch.open({ tenant: "no-places" });
  expect(await other.listArchivePlaces()).toEqual([]);
});

test("a run that was archived is closed: its writer, its inbox, its content", async () => {
  const stores = await scratch.open({ tenant: "ada" });
  const ended = await begin(stores, "ada");
  const { run, epoch, head } = ended;
  expect(await book.note(noteOf(ended))).toBe("archived");
  const more = sampleAppend({ run, epoch, after: head, count: 1 });
  expect((await stores.log.append(more)).kind).toBe("fenced");
  expect(await stores.inbox.put(sampleMessage("late", run))).toEqual({
    ...{ kind: "refused", reason: "erased" },
  });
  expect(await stores.blobs.readKey(run)).toBeUndefined();
  await stores.blobs.put(run, sampleBlob("late"));
  expect(await stores.blobs.read(run, sampleBlob("late").digest)).toBeUndefined();
  // Its last snapshot stays, so that it is listed.
  expect(await stores.runs.read(run)).toMatchObject({ sequence: 3, endedAt });
});

test("an archived run that is erased leaves no content in a period that stands", async () => {
  const stores = await scratch.open({ tenant: "erased" });
  const [ended, other] = [await begin(stores, "erased"), await begin(stores, "erased")];
  expect(await book.note(noteOf(ended))).toBe("archived");
  await stores.blobs.erase(ended.run);
  const left = "select run::text as run from turnseal.blob where tenant = 'erased'";
  expect(await session.query(left)).toEqual([{ run: other.run }]);
  expect(await stores.listArchived([ended.run])).toMatchObject([{ hasContent: false }]);
  expect(await book.readNoted(ended)).toMatchObject({ hasContent: false });
  expect(await book.readNoted(other)).toBeUndefined();
});

test("whoever notes a run that another has noted is told whether it is the same", async () => {
  const stores = await scratch.open({ tenant: "twice" });
  const ended = await begin(stores, "twice");
  await book.notePlace("twice", "/elsewhere");
  expect(await book.note(noteOf(ended))).toBe("archived");
  expect(await book.note(noteOf(ended))).toBe("archived");
  expect(await book.note({ ...noteOf(ended), hasContent: false })).toBe("noted");
  expect(await book.note({ ...noteOf(ended), place: "/elsewhere" })).toBe("noted");
  // An erased run differs, too: the archived bundle has its content.
  await stores.blobs.erase(ended.run);
  expect(await book.note(noteOf(ended))).toBe("noted");
  expect(await stores.listArchived([ended.run])).toMatchObject([
    { place: "/archive", hasContent: false },
  ]);
});

test("a run is not archived as something that it is not, or while anybody waits", async () => {
  const stores = await scratch.open({ tenant: "ada" });
  const parked = await begin(stores, "ada", {});
  expect(await book.note(noteOf(parked))).toBe("unfinished");
  const asked = await begin(stores, "ada", { endedAt, waiting: [sampleWaiting(1)] });
  expect(await book.note(noteOf(asked))).toBe("unfinished");
  const told = await begin(stores, "ada");
  await stores.inbox.put(sampleMessage("late", told.run));
  expect(await book.note(noteOf(told))).toBe("unfinished");
  const period = await newest();
  for (const { run } of [parked, asked, told])
    expect((await book.listHeld(period)).find((held) => held.run === run)).toEqual({
      tenant: "ada",
      run,
    });
  const grown = await begin(stores, "ada");
  const head = { ...grown.head, sequence: 2 };
  expect(await book.note({ ...noteOf(grown), head })).toBe("moved");
  expect(await book.note({ ...noteOf(grown), head: { ...grown.head, hash: "x" } })).toBe("moved");
  expect(await book.note({ ...noteOf(grown), tenant: "grace" })).toBe("moved");
  await stores.blobs.erase(grown.run);
  expect((await book.listHeld(period)).find((held) => held.run === grown.run)).toMatchObject({
    isErased: true,
  });
  expect(await book.note(noteOf(grown))).toBe("erased");
  expect(await book.note({ ...noteOf(grown), hasContent: false })).toBe("archived");
  for (const { run } of [parked, asked, told])
    expect((await stores.log.read(run, 1)).length).toBe(3);
});

test("a run that was kept leaves no row when it is archived", async () => {
  const stores = await scratch.open({ tenant: "kept" });
  const begun = await begin(stores, "kept");
  await book.keep(begun);
  expect(await book.note(noteOf(begun))).toBe("archived");
  for (const table of ["segment", "receipt", "blob", "run_key"])
    expect(
      await session.query(`select from turnseal.${table} where tenant = 'kept'`),
      table,
    ).toEqual([]);
});

test("appends beside openings, keeps and drops lose nothing", { timeout: 60_000 }, async () => {
  const stores = await scratch.open({ tenant: "busy" });
  const known = await Promise.all(Array.from({ length: 4 }, () => begin(stores, "busy", {})));
  const period = await newest();
  let isDone = false;
  const write = async (begun: Begun): Promise<number> => {
    let after = begun.head;
    while (!isDone) {
      const append = sampleAppend({ run: begun.run, epoch: begun.epoch, after, count: 1 });
      expect((await stores.log.append(append)).kind).toBe("appended");
      after = headAfter(append);
      await stores.blobs.put(begun.run, sampleBlob(`blob ${after.sequence}`));
    }
    return after.sequence;
  };
  const writing = known.map(write);
  await book.openPeriod(period);
  for (let page = await book.listHeld(period); page.length > 0; page = await book.listHeld(period))
    for (const held of page) await book.keep(held);
  expect(await book.drop(period)).toBe(true);
  isDone = true;
  const ends = await Promise.all(writing);
  for (const [at, { run }] of known.entries()) {
    const events = await stores.log.read(run, 1);
    expect(events.length).toBe(ends[at]);
    for (const { sequence } of events.slice(3))
      expect(
        await stores.blobs.read(run, sampleBlob(`blob ${sequence}`).digest),
        `${sequence}`,
      ).toBeDefined();
  }
});

test("HELD_LIST_MAX runs are one page, and the next goes on after it", async () => {
  const period = await newest();
  await session.query(
    `insert into turnseal.head (tenant, run)
       select 'many', gen_random_uuid() from generate_series(0, ${HELD_LIST_MAX})`,
  );
  const all: string[] = [];
  for (let page = await book.listHeld(period); page.length > 0; ) {
    expect(page.length).toBeLessThanOrEqual(HELD_LIST_MAX);
    all.push(...page.filter(({ tenant }) => tenant === "many").map(({ run }) => run));
    page = await book.listHeld(period, page.at(-1));
  }
  expect(all.length).toBe(HELD_LIST_MAX + 1);
  expect(new Set(all).size).toBe(all.length);
});

test("one archives at a time, and whoever lost its hold goes no further", async () => {
  const place = { url: scratch.url, roles: TEST_ROLES };
  const message = "another process archives this database, or deletes a tenant of it";
  const taken = { code: "STORE_UNREACHABLE", message };
  await expect(openArchiveBook({ ...place, waitMs: 100 })).rejects.toMatchObject(taken);
  // Rows of periods are read and changed beside it.
  await book.openPeriod(await newest());
  const lost = book;
  await lost.proveHold();
  await session.query(
    `select pg_terminate_backend(pid) from pg_locks
      where relation = 'turnseal.period'::regclass and mode = 'ShareUpdateExclusiveLock'`,
  );
  book = await openArchiveBook(place);
  await expect(lost.listPeriods()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  await expect(lost.storesOf("ada").runs.list()).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  await expect(lost.proveHold()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect((await book.listPeriods()).length).toBeGreaterThan(0);
  await lost.close();
});
