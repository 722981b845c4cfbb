/**
 * A run in an export, to be read like one of a store. Anyone may have put its content into the
 * file: it counts as far as its verdict says, and never more.
 */

import { type KnownRun, readRun } from "@turnseal/host";
import { READ_EVENTS_MAX, StoreError, type Stores } from "@turnseal/ports";
import { type LoopEvent, parseEvent } from "@turnseal/protocol";
import { type FindingCode, fromBase64, type RunBundle } from "@turnseal/protocol/receipts";

/** The readable stores of a bundle. */
export type BundleStores = Pick<Stores, "log" | "blobs" | "runs">;

export type OpenedBundle =
  | { readonly kind: "open"; readonly known: KnownRun; readonly stores: BundleStores }
  | { readonly kind: "refused"; readonly message: string };

/** With one of these nothing in the file follows from anything else. */
export const UNREADABLE: ReadonlySet<FindingCode> = new Set([
  "EVENT_MALFORMED",
  "CHAIN_GAP",
  "CHAIN_PREVIOUS",
  "CHAIN_HASH",
  "CHAIN_RUN",
  "CHAIN_EPOCH",
  "TURN_ORDER",
  "CONTENT_MISMATCH",
]);

/** Opens a bundle whose chain is intact. */
export async function openBundle(bundle: RunBundle): Promise<OpenedBundle> {
  const events: LoopEvent[] = [];
  for (const value of bundle.events) {
    const parsed = parseEvent(value);
    if (parsed.kind === "refused") {
      const message = `event ${events.length + 1} is not one of ours: ${parsed.where}`;
      return { kind: "refused", message };
    }
    events.push(parsed.event);
  }
  const stores = toStores(bundle, events);
  const projection = await readRun(stores, bundle.run);
  const { spec, startedAt } = projection ?? {};
  const known = { run: bundle.run, loop: spec?.loop ?? "", startedAt: startedAt ?? "", projection };
  return { kind: "open", known, stores };
}

function toStores({ run, content }: RunBundle, events: readonly LoopEvent[]): BundleStores {
  const last = events.at(-1);
  const refuse = async (): Promise<never> => {
    throw new StoreError("STORE_CORRUPT", "an export is only read");
  };
  const decode = (text: string | undefined) => (text === undefined ? undefined : fromBase64(text));
  const blobs = new Map(Object.entries(content?.blobs ?? {}));
  return {
    log: {
      takeEpoch: refuse,
      append: refuse,
      read: async (of, from, limit = READ_EVENTS_MAX) => {
        const start = Math.max(0, from - 1);
        const count = Math.min(Math.max(limit, 0), READ_EVENTS_MAX);
        return of === run ? events.slice(start, start + count) : [];
      },
      readHead: async (of) => {
        if (of !== run || last === undefined) return undefined;
        const { sequence, hash, epoch } = last;
        return { sequence, hash, epoch };
      },
    },
    blobs: {
      put: refuse,
      keepKey: refuse,
      erase: refuse,
      readKey: async (of) => (of === run ? decode(content?.key) : undefined),
      read: async (of, digest) => (of === run ? decode(blobs.get(digest)) : undefined),
    },
    // A snapshot in a bundle is not sealed: the state is folded from the events.
    runs: { read: async () => undefined, list: async () => [], drop: refuse },
  };
}
