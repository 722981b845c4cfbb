/** No room left. The limit on the size of the file makes SQLite answer as a full disk does. */
import { randomBytes } from "node:crypto";
import { headAfter, sampleAppend, sampleBlob } from "@turnseal/ports/contracts";
import { checkChain, EMPTY_HEAD, type Head } from "@turnseal/protocol";
import { afterEach, expect, test } from "vitest";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";

afterEach(cleanUp);

const bytesMax = 512 * 1024;

test("an append that finds no room throws STORE_FULL, and nothing of it is there", async () => {
  const { log, blobs, inbox } = openScratch({ bytesMax });
  const { epoch } = await log.takeEpoch(SAMPLE_RUN);
  await inbox.put({ run: SAMPLE_RUN, key: "hello", kind: "signal", body: {} });
  const first = sampleAppend({ epoch });
  await log.append(first);
  const small = sampleBlob("small");
  const large = sampleBlob("x".repeat(bytesMax));
  const carried = { blobs: [small, large], consumed: ["hello"] };
  const full = sampleAppend({ epoch, after: headAfter(first), count: 5 }, carried);
  await expect(log.append(full)).rejects.toMatchObject({ code: "STORE_FULL", retry: "pause" });
  expect(await log.readHead(SAMPLE_RUN)).toEqual({ ...headAfter(first), epoch });
  expect(await log.read(SAMPLE_RUN, 1)).toEqual(first.events);
  expect(await blobs.read(SAMPLE_RUN, small.digest)).toBeUndefined();
  expect((await inbox.peek(SAMPLE_RUN)).length).toBe(1);
  // The same writer goes on where it was, once it asks for less.
  const next = sampleAppend({ epoch, after: headAfter(first) });
  expect((await log.append(next)).kind).toBe("appended");
});

test("a blob and a message that find no room throw STORE_FULL too", async () => {
  const { blobs, inbox } = openScratch({ bytesMax });
  const large = "x".repeat(bytesMax);
  await expect(blobs.put(SAMPLE_RUN, sampleBlob(large))).rejects.toMatchObject({
    code: "STORE_FULL",
  });
  const message = { run: SAMPLE_RUN, key: "large", kind: "signal", body: { large } } as const;
  await expect(inbox.put(message)).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(await inbox.peek(SAMPLE_RUN)).toEqual([]);
});

test("a log that is full is a whole chain, and goes on when there is room", async () => {
  const file = scratchFile();
  const narrow = openScratch({ file, bytesMax });
  const { epoch } = await narrow.log.takeEpoch(SAMPLE_RUN);
  let after: Head = EMPTY_HEAD;
  const fill = async (): Promise<void> => {
    for (;;) {
      const note = randomBytes(700).toString("base64");
      const append = sampleAppend({ epoch, after, note });
      await narrow.log.append(append);
      after = headAfter(append);
    }
  };
  await expect(fill()).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(after.sequence).toBeGreaterThan(100);
  narrow.close();
  const { log } = openScratch({ file });
  const events = await log.read(SAMPLE_RUN, 1);
  expect(checkChain(SAMPLE_RUN, EMPTY_HEAD, events)).toEqual({ kind: "intact", head: after });
  expect((await log.append(sampleAppend({ epoch, after }))).kind).toBe("appended");
});
