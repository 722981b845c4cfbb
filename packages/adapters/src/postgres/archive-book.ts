/**
 * Lists ended runs that are still in the database, for the archiver. It has the owner's role, which
 * sees the runs of every tenant and alone may drop a period.
 */
import { setTimeout as wait } from "node:timers/promises";
import { StoreError } from "@turnseal/ports";
import { type Row, readFlag, readInteger, readMoment, readText } from "./columns.ts";
import { holdArchiving } from "./hold-archiving.ts";
import { type Database, openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { createStores, type TenantStores } from "./postgres-stores.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { type ArchivedRun, listArchived } from "./statements/list-archived.ts";

export interface ArchiveBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
  readonly connectionsMax?: number;
  /** How long to wait for another archiver. */
  readonly waitMs?: number;
}

/** A time span in which runs begin. It is dropped as a whole. */
export interface Period {
  readonly number: number;
  readonly openedAt: string;
  /** Set once no more runs begin in it. */
  readonly closedAt?: string;
}

/** The number of what outlives its period. */
export const PERIOD_OF_KEPT = 0;

export interface RunPlaceInBook {
  readonly tenant: string;
  readonly run: string;
}

/** A run that is in the database. */
export interface HeldRunInBook extends RunPlaceInBook {
  /** Set for a run that has ended, without open requests and unread messages. */
  readonly endedAt?: string;
  /** Set for a run whose content was erased. */
  readonly isErased?: true;
}

/** A bundle in the archive. */
export interface RunToNote extends RunPlaceInBook {
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly hasContent: boolean;
  readonly place: string;
}

/**
 * The result of a note. `moved`: the log differs from the bundle. `erased`: its content was erased
 * meanwhile, and the bundle has it. `unfinished`: it goes on, or waits for a person. `noted`:
 * another process has noted it elsewhere, or only one of the two bundles has content.
 */
export const NOTE_ANSWERS = ["archived", "moved", "erased", "unfinished", "noted"] as const;
export type NoteAnswer = (typeof NOTE_ANSWERS)[number];

export interface ArchiveBook {
  /** Periods that were not dropped, the oldest first; the last one is open. */
  listPeriods(): Promise<readonly Period[]>;
  /** Closes a period that is the newest, and opens another. */
  openPeriod(known: number): Promise<void>;
  /** Runs of a period by tenant and id, at most `HELD_LIST_MAX` after one. */
  listHeld(period: number, after?: RunPlaceInBook): Promise<readonly HeldRunInBook[]>;
  /** Notes where runs of a tenant will be. It is done before the first of them is put there. */
  notePlace(tenant: string, place: string): Promise<void>;
  /** Rejects if another process may archive by now. Called right before every put. */
  proveHold(): Promise<void>;
  /** Reads the note of a run. It answers even if another process archives by now. */
  readNoted(run: RunPlaceInBook): Promise<ArchivedRun | undefined>;
  /** Notes that a run is in the archive. From then on it is read there. */
  note(run: RunToNote): Promise<NoteAnswer>;
  /** Lets a run outlive its period. */
  keep(run: RunPlaceInBook): Promise<void>;
  /** Drops a closed period in which nothing is left; false where something is. */
  drop(period: number): Promise<boolean>;
  storesOf(tenant: string): TenantStores;
  close(): Promise<void>;
}

/** How many runs one page has. */
export const HELD_LIST_MAX = 500;
const CONNECTIONS_MAX = 8;
/** Attempts to lock a table that others use; each waits for half a second. */
const LOCK_ATTEMPTS_MAX = 40;
const BETWEEN_MS = 500;

const noRun = "00000000-0000-0000-0000-000000000000";

/** Opens it for one process at a time: a second one is refused. */
export async function openArchiveBook(options: ArchiveBookOptions): Promise<ArchiveBook> {
  const { url, connectionsMax = CONNECTIONS_MAX } = options;
  const role = rolesOf(url, options.roles).owner;
  const connections = openConnections({ url, connectionsMax });
  return openChecked({ connections, role, migrated: "whole" }, async (plain) => {
    const { waitMs } = options;
    const hold = await holdArchiving({ url, role, ...(waitMs === undefined ? {} : { waitMs }) });
    const enter = (db: Database): Database => ({
      ...db,
      query: async (statement, values) => {
        hold.check();
        return db.query(statement, values);
      },
    });
    const db = enter(plain);
    return {
      ...createBook(db),
      proveHold: hold.prove,
      readNoted: async ({ tenant, run }) =>
        (await listArchived(connections.enter(role, tenant), [run]))[0],
      storesOf: (tenant) => createStores(enter(connections.enter(role, tenant))),
      close: async () => {
        await hold.release();
        await connections.close();
      },
    };
  });
}

type Asked = Omit<ArchiveBook, "proveHold" | "readNoted" | "storesOf" | "close">;

function createBook(db: Database): Asked {
  const places = new Set<string>();
  return {
    notePlace: async (tenant, place) => {
      const known = `${tenant} ${place}`;
      if (places.has(known)) return;
      await db.query(placeStatement, [tenant, place]);
      places.add(known);
    },
    listPeriods: async () => (await db.query(periodsStatement, [])).map(toPeriod),
    openPeriod: async (known) => {
      await askAlone(db, openStatement, known);
    },
    listHeld: async (period, { tenant, run } = { tenant: "", run: noRun }) =>
      (await db.query(heldStatement, [period, tenant, run])).map(toHeld),
    note: async ({ tenant, run, head, hasContent, place }) => {
      const values = [tenant, run, head.sequence, head.hash, hasContent, place];
      const [row] = await db.query(noteStatement, values);
      return toAnswer(readText(row, "answer"));
    },
    keep: async ({ tenant, run }) => {
      await db.query(keepStatement, [tenant, run]);
    },
    drop: async (period) => readFlag(await askAlone(db, dropStatement, period), "answer"),
  };
}

/** Asks for what needs whole tables, until they were free for a moment. */
async function askAlone(db: Database, statement: Statement, period: number): Promise<Row> {
  for (let attempt = 1; ; attempt++) {
    const [row] = await db.query(statement, [period]);
    if (row !== undefined && row["answer"] !== null) return row;
    if (attempt >= LOCK_ATTEMPTS_MAX)
      throw new StoreError("STORE_UNREACHABLE", "the tables were never free for a moment");
    await wait(BETWEEN_MS * (0.5 + Math.random()));
  }
}

function toPeriod(row: Row): Period {
  return {
    number: readInteger(row, "number"),
    openedAt: readMoment(row, "opened_at"),
    ...(row["closed_at"] === null ? {} : { closedAt: readMoment(row, "closed_at") }),
  };
}

function toHeld(row: Row): HeldRunInBook {
  return {
    tenant: readText(row, "tenant"),
    run: readText(row, "run"),
    ...(row["ended_at"] === null ? {} : { endedAt: readMoment(row, "ended_at") }),
    ...(readFlag(row, "is_erased") ? { isErased: true } : {}),
  };
}

function toAnswer(text: string): NoteAnswer {
  const answer = NOTE_ANSWERS.find((known) => known === text);
  if (answer === undefined) throw new StoreError("STORE_CORRUPT", `a note came to ${text}`);
  return answer;
}

const periodsStatement: Statement = {
  name: "list-periods",
  reach: "tenant",
  text: `
    select number, opened_at, closed_at from turnseal.period
     where dropped_at is null order by number`,
};

const openStatement: Statement = {
  name: "open-period",
  reach: "tenant",
  text: "select turnseal.open_period($1) as answer",
};

const dropStatement: Statement = {
  name: "drop-period",
  reach: "tenant",
  text: "select turnseal.drop_period($1) as answer",
};

const keepStatement: Statement = {
  name: "keep-run",
  reach: "run",
  text: "select turnseal.keep_run($1, $2)",
};

const placeStatement: Statement = {
  name: "note-archive-place",
  reach: "tenant",
  text: `
    insert into turnseal.archive_place (tenant, place) values ($1, $2)
    on conflict (tenant, place) do nothing`,
};

const noteStatement: Statement = {
  name: "note-archived",
  reach: "run",
  text: "select turnseal.archive_run($1, $2, $3, $4, $5, $6) as answer",
};

const heldStatement: Statement = {
  name: "list-held",
  reach: "tenant",
  text: `
    select head.tenant, head.run, head.is_erased,
           (select run.ended_at from turnseal.run as run
             where run.tenant = head.tenant and run.run = head.run
               and not exists (
                 select from turnseal.inbox as inbox
                  where inbox.tenant = head.tenant and inbox.run = head.run
                    and inbox.body is not null)
               and not exists (
                 select from turnseal.waiting as waiting
                  where waiting.tenant = head.tenant and waiting.run = head.run)) as ended_at
      from turnseal.head as head
     where head.period = $1 and (head.tenant, head.run) > ($2, $3)
     order by head.tenant, head.run limit ${HELD_LIST_MAX}`,
};
