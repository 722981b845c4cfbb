import type { TenantStores } from "@turnseal/adapters/postgres";
import { collectRun } from "@turnseal/host";
import type { Archive } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { isRunBundle, type PublicKey, type RunBundle } from "@turnseal/protocol/receipts";
import { renderBundle } from "./bundle-run.ts";

/** A bundle as it is in an archive, with the public keys that go with it. */
export type ArchivedBundle = RunBundle & { readonly keys?: readonly PublicKey[] };

export function parseBundle(bytes: Uint8Array): ArchivedBundle | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRunBundle(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the same run without content and key in the place of its bundle. */
export async function stripBundle(
  archive: Archive,
  name: string,
  { run, events, receipts, keys = [], content }: ArchivedBundle,
): Promise<void> {
  if (content === undefined) return;
  // The parts are written as they were read, without a check.
  const collected = { run, receipts, events: events as readonly LoopEvent[] };
  await archive.put(name, new TextEncoder().encode(renderBundle(collected, keys)));
}

/** Takes content and key out of a bundle of a run that is noted elsewhere. */
export async function stripOther(archive: Archive, name: string): Promise<void> {
  const bytes = await archive.get(name);
  if (bytes === undefined) return;
  const bundle = parseBundle(bytes);
  if (bundle === undefined) await archive.remove(name);
  else await stripBundle(archive, name, bundle);
}

/**
 * Removes content and key from a bundle without a note, of a run that was erased since: its
 * archiver was killed. It is rebuilt from the log, which no longer grows, so that a concurrent
 * archiver writes the same.
 */
export async function stripUnnoted(
  archive: Archive,
  name: string,
  {
    run,
    stores,
  }: {
    readonly run: string;
    readonly stores: Pick<TenantStores, "log" | "receipts" | "listArchived">;
  },
): Promise<void> {
  const bytes = await archive.get(name);
  if (bytes === undefined) return;
  const bundle = parseBundle(bytes);
  if (bundle !== undefined && bundle.content === undefined) return;
  const collected = await collectRun(stores, run);
  // A run that was noted meanwhile has no content in its bundle, and this read of it may be
  // incomplete.
  const [noted] = await stores.listArchived([run]);
  if (noted !== undefined || collected.events.length === 0) return;
  const text = renderBundle(collected, bundle?.keys ?? []);
  await archive.put(name, new TextEncoder().encode(text));
}
