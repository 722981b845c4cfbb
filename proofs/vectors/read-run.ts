import type { Stores } from "@turnseal/ports";
import { canonicalize, toRaw } from "@turnseal/protocol";
import type { MadeRun } from "./seal-events.ts";

/** A run of a store, as a verifier reads it. */
export async function readRun(stores: Stores, run: string): Promise<MadeRun> {
  const receipts = await stores.receipts.list(run, 1);
  const texts = receipts.map(({ envelope }) => canonicalize(envelope));
  const events = await stores.log.read(run, 1);
  return { run, events: events.map(toRaw), receipts: texts };
}
