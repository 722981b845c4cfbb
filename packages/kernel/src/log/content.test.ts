import { manualClock, memoryStores } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createContent } from "./content.ts";

const key = new Uint8Array(32).fill(1);

test("content is named by a digest under the run's key, and read back as it was", async () => {
  const { blobs } = memoryStores(manualClock());
  const content = createContent("a", key, blobs);
  const blob = content.seal({ b: 1, a: ["x"] });
  expect(blob).toMatchObject({ size: 17, mediaType: "application/json" });
  expect(blob.digest).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  expect(content.seal({ a: ["x"], b: 1 }).digest).toBe(blob.digest);
  await blobs.put("a", blob);
  expect(await content.read(blob)).toEqual({ a: ["x"], b: 1 });
});

test("the same content has another digest under another key: it cannot be guessed", () => {
  const { blobs } = memoryStores(manualClock());
  const other = createContent("a", new Uint8Array(32).fill(2), blobs);
  expect(other.seal("yes").digest).not.toBe(createContent("a", key, blobs).seal("yes").digest);
});

test("content that is not there is an error, also of another run", async () => {
  const { blobs } = memoryStores(manualClock());
  const content = createContent("a", key, blobs);
  const blob = content.seal("secret");
  await blobs.put("b", blob);
  await expect(content.read(blob)).rejects.toMatchObject({ code: "LOG_CONTENT_MISSING" });
});

test("content that somebody exchanged in the store is an error", async () => {
  const { blobs } = memoryStores(manualClock());
  const content = createContent("a", key, blobs);
  const blob = content.seal("pay BOB");
  await blobs.put("a", { ...content.seal("pay EVE"), digest: blob.digest });
  await expect(content.read(blob)).rejects.toMatchObject({ code: "LOG_CONTENT_CHANGED" });
});

test("what is kept at hand is bounded, and read from the store again after that", async () => {
  const { blobs } = memoryStores(manualClock());
  let reads = 0;
  const content = createContent("a", key, {
    ...blobs,
    read: (run, digest) => {
      reads += 1;
      return blobs.read(run, digest);
    },
  });
  const all = Array.from({ length: 17 }, (_, index) => content.seal(index));
  for (const blob of all) await blobs.put("a", blob);
  for (const blob of all) await content.read(blob);
  expect(reads).toBe(17);
  for (const blob of all.slice(-1)) await content.read(blob);
  expect(reads).toBe(17);
  for (const blob of all.slice(0, 1)) expect(await content.read(blob)).toBe(0);
  expect(reads).toBe(18);
});

test("a mark is found in its own run, and no value can be stored as one", async () => {
  const { blobs } = memoryStores(manualClock());
  const content = createContent("a", key, blobs);
  const { digest } = content.seal("large");
  const mark = content.sealMark(digest);
  await blobs.put("a", content.seal(new TextDecoder().decode(mark.bytes)));
  expect(await content.isMarked(digest)).toBe(false);
  await blobs.put("a", mark);
  expect(await content.isMarked(digest)).toBe(true);
  expect(await content.isMarked(content.seal("other").digest)).toBe(false);
  expect(await createContent("b", key, blobs).isMarked(digest)).toBe(false);
});
