import type { Stores } from "@turnseal/ports";
import type { Head } from "@turnseal/protocol";

/** The lost part of a store, as after restoring an old backup. */
export interface Losses {
  /** `run turn` of each receipt that is gone. */
  readonly receipts: Set<string>;
  /** The last event that is left, by run. */
  readonly heads: Map<string, Head>;
  /** Texts in content that have become others. */
  readonly contents: { readonly text: string; readonly becomes: string }[];
}

export function createLosses(): Losses {
  return { receipts: new Set(), heads: new Map(), contents: [] };
}

/** The stores without what they have lost. */
export function withLosses(stores: Stores, losses: Losses): Stores {
  const { receipts, heads, contents } = losses;
  const { log } = stores;
  return {
    ...stores,
    blobs: {
      ...stores.blobs,
      read: async (run, digest) => {
        const bytes = await stores.blobs.read(run, digest);
        if (bytes === undefined || contents.length === 0) return bytes;
        const changed = contents.reduce(
          (text, { text: before, becomes }) => text.replaceAll(before, becomes),
          new TextDecoder().decode(bytes),
        );
        return new TextEncoder().encode(changed);
      },
    },
    receipts: {
      read: async (run, turn) =>
        receipts.has(`${run} ${turn}`) ? undefined : stores.receipts.read(run, turn),
      list: async (run, ...page) => {
        const found = await stores.receipts.list(run, ...page);
        return found.filter(({ turn }) => !receipts.has(`${run} ${turn}`));
      },
    },
    log: {
      ...log,
      takeEpoch: async (run) => {
        const taken = await log.takeEpoch(run);
        return { ...taken, head: heads.get(run) ?? taken.head };
      },
      readHead: async (run) => {
        const head = await log.readHead(run);
        return head === undefined ? undefined : { ...head, ...heads.get(run) };
      },
      read: async (run, ...page) => {
        const events = await log.read(run, ...page);
        const last = heads.get(run)?.sequence ?? Number.POSITIVE_INFINITY;
        return events.filter(({ sequence }) => sequence <= last);
      },
    },
  };
}
