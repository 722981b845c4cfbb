import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { headAfter, sampleAppend, sampleBlob } from "@turnseal/ports/contracts";
import { afterEach, expect, test } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";

afterEach(cleanUp);

/** The files of a store that hold some text. */
function findText(file: string, text: string): string[] {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return names.filter((name) => readFileSync(join(dirname(file), name)).includes(text));
}

const secret = "the customer is called Ada";
const key = new TextEncoder().encode("a key of exactly thirty-two byte");

test("an erasure leaves no byte of content in any file of the store", async () => {
  const file = scratchFile();
  const { log, inbox, blobs } = openScratch({ file });
  const { epoch } = await log.takeEpoch(SAMPLE_RUN);
  await blobs.keepKey(SAMPLE_RUN, key);
  await blobs.put(SAMPLE_RUN, sampleBlob(secret.repeat(10_000)));
  const message = (name: string) =>
    ({ run: SAMPLE_RUN, key: name, kind: "signal", body: { secret } }) as const;
  await inbox.put(message("consumed"));
  await inbox.put(message("waiting"));
  const carried = { blobs: [sampleBlob(`${secret}, in short`)], consumed: ["consumed"] };
  const append = sampleAppend({ epoch, note: "a fact of the log" }, carried);
  await log.append(append);
  expect(findText(file, secret)).not.toEqual([]);
  expect(findText(file, "exactly thirty-two")).not.toEqual([]);
  await blobs.erase(SAMPLE_RUN);
  expect(findText(file, secret)).toEqual([]);
  expect(findText(file, "exactly thirty-two")).toEqual([]);
  expect(await log.read(SAMPLE_RUN, 1)).toEqual(append.events);
  expect(await log.readHead(SAMPLE_RUN)).toEqual({ ...headAfter(append), epoch });
});

test("a body that was consumed is not kept beside the log", async () => {
  const file = scratchFile();
  const stores = openScratch({ file });
  const { epoch } = await stores.log.takeEpoch(SAMPLE_RUN);
  await stores.inbox.put({ run: SAMPLE_RUN, key: "hello", kind: "signal", body: { secret } });
  await stores.log.append(sampleAppend({ epoch }, { consumed: ["hello"] }));
  stores.close();
  expect(findText(file, "hello")).toEqual(["store.db"]);
  expect(findText(file, secret)).toEqual([]);
});
