/**
 * The stores of a tenant with some runs in an archive. Archived runs read as they did in the
 * database, and must end as the database has noted.
 */
import type { TenantStores } from "@turnseal/adapters/postgres";
import { LIST_RECEIPTS_MAX } from "@turnseal/ports";
import { eraseBundles } from "./erase-bundles.ts";
import { type ArchivePlaces, type OpenArchived, openArchived } from "./open-archived.ts";

/** Archived runs that are kept open: a command reads some at a time. */
const OPEN_MAX = 8;
/** For how long one is: what is erased in its bundle is not shown any longer than that. */
const OPEN_MS_MAX = 3_000;
/** The most runs that are remembered as archived: their reads go straight to the archive. */
const ARCHIVED_KNOWN_MAX = 1_000;

type ReadStores = Pick<
  TenantStores,
  "log" | "blobs" | "receipts" | "listArchived" | "listArchivePlaces"
>;

export interface ArchivedOptions extends ArchivePlaces {
  /** How long what was read of an archived run is relied on. */
  readonly openMsMax?: number;
}

/** Adds the archived runs to what is read; erasing one reaches every archive of the tenant. */
export function withArchived<Own extends ReadStores>(stores: Own, options: ArchivedOptions): Own {
  const { log, blobs, receipts } = stores;
  const { open, openFrom, forget } = keepOpened(
    (run) => openArchived(stores, run, options),
    options.openMsMax ?? OPEN_MS_MAX,
  );
  return {
    ...stores,
    log: {
      ...log,
      read: async (run, from, limit) => {
        const events = await log.read(run, from, limit);
        if (events.length > 0) return events;
        return (await openFrom(run, from))?.stores.log.read(run, from, limit) ?? events;
      },
    },
    receipts: {
      read: async (run, turn) =>
        (await receipts.read(run, turn)) ??
        (await open(run))?.receipts.find((receipt) => receipt.turn === turn),
      list: async (run, from, limit = LIST_RECEIPTS_MAX) => {
        const found = await receipts.list(run, from, limit);
        if (found.length > 0) return found;
        const sealed = (await openFrom(run, from))?.receipts ?? [];
        return sealed.filter(({ turn }) => turn >= from).slice(0, limit);
      },
    },
    blobs: {
      ...blobs,
      readKey: async (run) =>
        (await blobs.readKey(run)) ?? (await open(run))?.stores.blobs.readKey(run),
      read: async (run, digest) =>
        (await blobs.read(run, digest)) ?? (await open(run))?.stores.blobs.read(run, digest),
      erase: async (run) => {
        await blobs.erase(run);
        // Bundles are erased last: an archiver that starts later finds the run erased.
        await eraseBundles(stores, run, options);
        forget(run);
      },
    },
  };
}

type OpenRun = (run: string) => Promise<OpenArchived | undefined>;

/** Keeps some of what was opened, for a moment. */
function keepOpened(load: OpenRun, openMsMax: number) {
  const opened = new Map<string, ReturnType<OpenRun>>();
  const archived = new Set<string>();
  const open: OpenRun = (run) => {
    const last = opened.get(run);
    const known = last ?? load(run);
    opened.delete(run);
    opened.set(run, known);
    keepNewest(opened, OPEN_MAX);
    if (last !== undefined) return known;
    const forget = (): void => {
      if (opened.get(run) === known) opened.delete(run);
    };
    setTimeout(forget, openMsMax).unref();
    // A missing archive entry is forgotten, since it may appear soon. So is an error, since the
    // archive may come back.
    known.then((found) => {
      if (found === undefined) return forget();
      archived.delete(run);
      archived.add(run);
      keepNewest(archived, ARCHIVED_KNOWN_MAX);
    }, forget);
    return known;
  };
  return {
    open,
    /** The end of a log is read often: only a read from its beginning checks the archive. */
    openFrom: async (run: string, from: number) =>
      from <= 1 || archived.has(run) ? open(run) : undefined,
    forget: (run: string) => opened.delete(run),
  };
}

/** Forgets what was added longest ago. */
function keepNewest(
  kept: { readonly size: number; keys(): Iterable<string>; delete(name: string): boolean },
  max: number,
): void {
  const [oldest] = kept.keys();
  if (kept.size > max && oldest !== undefined) kept.delete(oldest);
}
