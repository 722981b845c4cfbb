import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { manualClock } from "@turnseal/ports";
import {
  blobStoreContract,
  callCacheContract,
  eventLogContract,
  graphStoreContract,
  inboxContract,
  outboxContract,
  type RunLeasesSubject,
  receiptStoreContract,
  runLeasesContract,
  runStoreContract,
  type StoresSubject,
  sampleAppend,
  sampleEntry,
} from "@turnseal/ports/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { createLeases } from "../leasing-child.test.data.ts";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";
import { EXPIRED_BATCH_MAX } from "./statements/cache-statements.ts";

afterEach(cleanUp);

const contracts = {
  eventLogContract,
  graphStoreContract,
  inboxContract,
  blobStoreContract,
  callCacheContract,
  outboxContract,
  receiptStoreContract,
  runStoreContract,
};

function create(): StoresSubject {
  const clock = manualClock();
  return { stores: openScratch({ clock }), readClock: () => clock.now() };
}

describe.each(Object.entries(contracts))("a SQLite file keeps the %s", (_, contract) => {
  for (const { name, run } of contract({ create })) test(name, run);
});

describe("a SQLite file keeps the runLeasesContract", () => {
  const file = { name: "" };
  const create = (): Promise<RunLeasesSubject> => {
    file.name = scratchFile();
    return createLeases(() => openScratch({ file: file.name }).values);
  };
  for (const { name, run } of runLeasesContract({ create, destroy: ({ kill }) => kill() }))
    test(name, run);
});

test("a file whose pages are damaged is corrupt, and says so instead of answering", async () => {
  const file = scratchFile();
  const stores = openScratch({ file });
  const { epoch } = await stores.log.takeEpoch(SAMPLE_RUN);
  await stores.log.append(sampleAppend({ epoch, count: 100 }));
  stores.close();
  const bytes = readFileSync(file);
  // The first page holds the schema; everything after it is filled with what no page begins with.
  writeFileSync(file, bytes.fill(0xff, 4096));
  const damaged = (): Promise<unknown> => openScratch({ file }).log.read(SAMPLE_RUN, 1);
  await expect((async () => damaged())()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
});

test("an entry takes the place of EXPIRED_BATCH_MAX whose time has come", async () => {
  const file = scratchFile();
  const { calls } = openScratch({ file });
  const name = (index: number): string => String(index).padStart(64, "0");
  for (let index = 0; index <= EXPIRED_BATCH_MAX; index++)
    await calls.put(sampleEntry("1", { name: name(index), expiresAtMs: 10 }), 0);
  await calls.put(sampleEntry("2"), 10);
  const db = new DatabaseSync(file);
  const row = db.prepare("select count(*) as count from cached_call").get();
  db.close();
  expect(row?.["count"]).toBe(2);
});

test("what is no digest is refused when it is stored, and not found when it is read", async () => {
  const { blobs } = openScratch();
  const bytes = new Uint8Array([1]);
  const digest = `hmac-sha256:${"0".repeat(63)}` as const;
  const blob = { digest, size: 1, mediaType: "text/plain", bytes };
  await expect(blobs.put(SAMPLE_RUN, blob)).rejects.toThrow(RangeError);
  expect(await blobs.read(SAMPLE_RUN, digest)).toBeUndefined();
  expect(await blobs.read(SAMPLE_RUN, "")).toBeUndefined();
});
