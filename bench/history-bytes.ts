/** The bytes that a conversation of 100 model calls leaves behind, on SQLite. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { collectEvents } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { median } from "./median.ts";
import type { Figure } from "./report.ts";
import { CALLS, startConversation } from "./sample-conversation.ts";
import { createSigner } from "./sample-turn.ts";

const BLOB_GOAL = 1.02;
const FLAT_GOAL = 1.02;
const FILE_GOAL = 2;
/** Calls that are compared at either end. */
const WINDOW = 10;

export async function measureBytes(folder: string): Promise<Figure[]> {
  const file = join(folder, "history.db");
  const stores = sqliteStores({ file });
  const blobs = new Map<string, number>();
  const conversation = await startConversation({
    stores: countBlobs(stores, blobs),
    signer: createSigner(),
  });
  const { host, run } = conversation;
  await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  const events = await collectEvents(stores.log, run, 1);
  const receipts = await stores.receipts.list(run, 1);
  stores.close();
  const newBytes = conversation.newBytes();
  const blobBytes = [...blobs.values()].reduce((sum, size) => sum + size, 0);
  const receiptBytes = receipts.map(({ envelope }) => canonicalize(envelope).length);
  return [
    ratio("blob bytes against new content", blobBytes / newBytes, BLOB_GOAL),
    ratio(`event bytes of calls, last ${WINDOW} against first`, compareEnds(events), FLAT_GOAL),
    ratio(
      "receipt bytes of turns, last against first",
      (receiptBytes.at(-1) ?? Number.NaN) / (receiptBytes[0] ?? Number.NaN),
      FLAT_GOAL,
    ),
    ratio("file against new content", measureFile(file) / newBytes, FILE_GOAL),
  ];
}

function ratio(name: string, value: number, atMost: number): Figure {
  return { name, columns: { ratio: value }, goal: { column: "ratio", atMost } };
}

/**
 * The stores, with a note of every blob that is written: each counts once, as it is stored once.
 */
function countBlobs(stores: Stores, blobs: Map<string, number>): Stores {
  return {
    ...stores,
    log: {
      ...stores.log,
      append: (append) => {
        for (const { digest, size } of append.blobs) blobs.set(digest, size);
        return stores.log.append(append);
      },
    },
    blobs: {
      ...stores.blobs,
      put: (run, blob) => {
        blobs.set(blob.digest, blob.size);
        return stores.blobs.put(run, blob);
      },
    },
  };
}

/**
 * The bytes of the events of one call, from its claim to the next, at the end of the run against
 * its beginning.
 */
function compareEnds(events: readonly LoopEvent[]): number {
  const bytes: number[] = [];
  for (const event of events) {
    if (event.type === "action.claimed" && event.content.action === "model") bytes.push(0);
    const call = bytes.length - 1;
    if (event.turn !== undefined && call >= 0)
      bytes[call] = (bytes[call] ?? 0) + canonicalize(event).length;
  }
  if (bytes.length !== CALLS) throw new Error(`the run made ${bytes.length} calls`);
  return median(bytes.slice(-WINDOW)) / median(bytes.slice(0, WINDOW));
}

function measureFile(file: string): number {
  const db = new DatabaseSync(file);
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
  return statSync(file).size;
}
