/** Opens a run that is in an archive, held to the end of the log that the database has noted. */
import type { ArchivedRun, TenantStores } from "@turnseal/adapters/postgres";
import { type Archive, type StoredReceipt, StoreError } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import {
  type Envelope,
  fromBase64,
  type RunBundle,
  receiptId,
  verifyBundle,
} from "@turnseal/protocol/receipts";
import { type BundleStores, openBundle, UNREADABLE } from "./open-bundle.ts";
import { type ArchivedBundle, parseBundle } from "./strip-bundle.ts";

/** The name of a run in an archive. */
export function bundleNameOf(tenant: string, run: string): string {
  return `${tenant}/${run.slice(0, 2)}/${run}.json`;
}

export interface ArchivePlaces {
  readonly tenant: string;
  /** The folder of the archive, in place of the noted one. */
  readonly place?: string | undefined;
  /** Opens the archive that is at a place. */
  openArchive(place: string): Archive;
}

export interface OpenArchived {
  /** All that is in the archive, also what is not to be shown. */
  readonly bundle: ArchivedBundle;
  readonly stores: BundleStores;
  readonly receipts: readonly StoredReceipt[];
}

/** Undefined if it is not archived. */
export async function openArchived(
  { listArchived }: Pick<TenantStores, "listArchived">,
  run: string,
  { tenant, place, openArchive }: ArchivePlaces,
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
  const shown = bundle && (noted.hasContent ? bundle : leaveContent(bundle));
  // Checked before the reading: events that do not follow each other have no state.
  const isWhole = shown !== undefined && (await isAsNoted(shown, noted));
  const opening = isWhole ? await openBundle(shown) : undefined;
  const receipts = isWhole ? toReceipts(run, shown.receipts) : undefined;
  if (bundle === undefined || receipts === undefined || opening?.kind !== "open")
    throw new StoreError("STORE_CORRUPT", `the bundle of run ${run} is not what was archived`);
  return { bundle, stores: opening.stores, receipts };
}

/** A slow archiver may have written content again that was erased meanwhile. */
function leaveContent({ content: _, ...rest }: ArchivedBundle): ArchivedBundle {
  return rest;
}

/** True if its chain is whole and ends as noted. `verify` checks who signed it. */
async function isAsNoted(bundle: RunBundle, { run, head }: ArchivedRun): Promise<boolean> {
  const last = bundle.events.at(-1) as LoopEvent | undefined;
  if (bundle.run !== run || last?.sequence !== head.sequence || last.hash !== head.hash)
    return false;
  const { findings } = await verifyBundle(bundle, { keys: [], production: false });
  return !findings.some(({ code }) => UNREADABLE.has(code));
}

/** Undefined if one of them is no receipt: the bundle was changed. */
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
