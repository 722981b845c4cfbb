/**
 * Removes the content of an erased run from every archive of its tenant. That covers the noted
 * bundle, and drafts that a killed archiver left elsewhere.
 */
import type { TenantStores } from "@turnseal/adapters/postgres";
import { type ArchivePlaces, bundleNameOf, openArchived } from "./open-archived.ts";
import { stripBundle, stripOther, stripUnnoted } from "./strip-bundle.ts";

type ErasedStores = Pick<TenantStores, "log" | "receipts" | "listArchived" | "listArchivePlaces">;

/** Visits every place, even if some fail; rejects if one of them cannot be used. */
export async function eraseBundles(
  stores: ErasedStores,
  run: string,
  options: ArchivePlaces,
): Promise<void> {
  const [noted] = await stores.listArchived([run]);
  const named = [options.place, noted?.place].filter((place) => place !== undefined);
  const places = new Set([...named, ...(await stores.listArchivePlaces())]);
  const failures: unknown[] = [];
  for (const place of places)
    await eraseAt(place, { stores, run, options, isRead: noted && place === named[0] }).catch(
      (error: unknown) => failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
}

interface Erased {
  readonly stores: ErasedStores;
  readonly run: string;
  readonly options: ArchivePlaces;
  /** True if the run is read, and has to be; undefined if it is noted nowhere. */
  readonly isRead: boolean | undefined;
}

async function eraseAt(place: string, { stores, run, options, isRead }: Erased): Promise<void> {
  const archive = options.openArchive(place);
  const name = bundleNameOf(options.tenant, run);
  const noted = isRead === true ? await openArchived(stores, run, options) : undefined;
  if (isRead === undefined) await stripUnnoted(archive, name, { run, stores });
  else if (noted === undefined) await stripOther(archive, name);
  else await stripBundle(archive, name, noted.bundle);
  await archive.removeUnfinished(name);
}
