/**
 * The stores of a tenant of which some runs are in an archive. They are read there as they were in
 * the database, held to the end of the log that the database has noted.
 */
import type { ArchivedRun, TenantStores } from "@turnseal/adapters/postgres";
import { type Archive, LIST_RECEIPTS_MAX, type StoredReceipt, StoreError } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import {
  type Envelope,
  fromBase64,
  type RunBundle,
  receiptId,
  verifyBundle,
} from "@turnseal/protocol/receipts";
import { renderBundle } from "./bundle-run.ts";
import { type BundleStores, openBundle, UNREADABLE } from "./open-bundle.ts";
import { type ArchivedBundle, parseBundle, stripUnnoted } from "./strip-bundle.ts";

/** The name of a run in an archive. */
export function bundleNameOf(tenant: string, run: string): string {
  return `${tenant}/${run.slice(0, 2)}/${run}.json`;
}

/** Archived runs that are kept open: a command reads some at a time. */
const OPEN_MAX = 8;
/** For how long one is: what is erased in its bundle is not shown any longer than that. */
const OPEN_MS_MAX = 3_000;
/** Runs that are remembered to be archived: whoever reads one goes on there, open or not. */
const ARCHIVED_KNOWN_MAX = 1_000;

type ReadStores = Pick<
  TenantStores,
  "log" | "blobs" | "receipts" | "listArchived" | "listArchivePlaces"
>;

export interface ArchivedOptions {
  readonly tenant: string;
  /** Where the archive is, whatever is noted. */
  readonly place?: string | undefined;
  /** Opens the archive that is at a place. */
  openArchive(place: string): Archive;
  /** How long what was read of an archived run is relied on. */
  readonly openMsMax?: number;
}

/** Adds the archived runs to what is read; erasing one reaches its bundle. */
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
        // Looked for after that: whoever archives it from now on finds it erased.
        const noted = await openArchived(stores, run, options);
        if (noted === undefined) await eraseUnnoted(stores, run, options);
        else await eraseArchived(noted);
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
    // What is not archived may be in a moment, and an archive that is away comes back.
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
    /** The end of a log is asked for again and again: its beginning says that it is elsewhere. */
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

interface OpenArchived {
  readonly archive: Archive;
  readonly name: string;
  readonly bundle: ArchivedBundle;
  readonly events: readonly LoopEvent[];
  readonly stores: BundleStores;
  readonly receipts: readonly StoredReceipt[];
}

async function openArchived(
  { listArchived }: Pick<TenantStores, "listArchived">,
  run: string,
  { tenant, place, openArchive }: ArchivedOptions,
): Promise<OpenArchived | undefined> {
  const [noted] = await listArchived([run]);
  if (noted === undefined) return undefined;
  const archive = openArchive(place ?? noted.place);
  const name = bundleNameOf(tenant, run);
  const bytes = await archive.get(name);
  if (bytes === undefined) {
    const message = `run ${run} is archived in ${archive.place}, and there is no ${name}`;
    throw new StoreError("STORE_UNREACHABLE", message);
  }
  const bundle = parseBundle(bytes);
  const opening = bundle === undefined ? undefined : await openBundle(bundle);
  const receipts = bundle === undefined ? undefined : toReceipts(run, bundle.receipts);
  const isRead = bundle !== undefined && receipts !== undefined && opening?.kind === "open";
  if (!isRead || !(await isAsNoted(bundle, noted)))
    throw new StoreError("STORE_CORRUPT", `the bundle of run ${run} is not what was archived`);
  // An event that was opened is one of ours.
  const events = bundle.events as readonly LoopEvent[];
  return { archive, name, bundle, events, stores: opening.stores, receipts };
}

/** True where its chain is whole and ends as noted. Who signed it is for `verify` to say. */
async function isAsNoted(bundle: RunBundle, { run, head }: ArchivedRun): Promise<boolean> {
  const last = bundle.events.at(-1) as LoopEvent | undefined;
  if (bundle.run !== run || last?.sequence !== head.sequence || last.hash !== head.hash)
    return false;
  const { findings } = await verifyBundle(bundle, { keys: [], production: false });
  return !findings.some(({ code }) => UNREADABLE.has(code));
}

/** Undefined where one of them is no receipt: somebody has written to the bundle. */
function toReceipts(run: string, texts: readonly string[]): readonly StoredReceipt[] | undefined {
  try {
    return texts.map((text) => toReceipt(run, text));
  } catch {
    return undefined;
  }
}

function toReceipt(run: string, text: string): StoredReceipt {
  const envelope = JSON.parse(text) as Envelope;
  const payload = fromBase64(envelope.payload) ?? new Uint8Array();
  const { predicate } = JSON.parse(new TextDecoder().decode(payload)) as {
    readonly predicate: { readonly turn: number };
  };
  return { run, turn: predicate.turn, id: receiptId(payload), envelope };
}

/** Puts the same run without content and key in the place of its bundle. */
async function eraseArchived(archived: OpenArchived): Promise<void> {
  if (archived.bundle.content === undefined) return;
  const { archive, name, bundle, events } = archived;
  const { run, receipts, keys = [] } = bundle;
  const text = renderBundle({ run, events, receipts }, keys);
  await archive.put(name, new TextEncoder().encode(text));
}

/** Reaches a bundle that somebody left who was killed before it was noted. */
async function eraseUnnoted(
  stores: ReadStores,
  run: string,
  { tenant, place, openArchive }: ArchivedOptions,
): Promise<void> {
  const places = place === undefined ? await stores.listArchivePlaces(run) : [place];
  for (const each of places)
    await stripUnnoted(openArchive(each), bundleNameOf(tenant, run), { run, stores });
}
