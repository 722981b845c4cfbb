import { type Blob, INLINE_BLOB_BYTES_MAX, manualClock, memoryStores } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createContent } from "./content.ts";
import { holdContent } from "./hold-content.ts";

/** Content of an empty store: every read comes from memory. */
function open() {
  const { blobs } = memoryStores(manualClock());
  let inLine: Blob[] = [];
  const held = holdContent(createContent("a", new Uint8Array(32), blobs), () => inLine);
  const pass = (): void => {
    held.pass();
    inLine = [];
  };
  return { content: held.content, hold: (more: Blob[]) => inLine.push(...more), pass };
}

const missing = { code: "LOG_CONTENT_MISSING" };

test("what is in line is read as it will be from the store, however large", async () => {
  const { content, hold } = open();
  const [small, large] = [
    content.seal({ b: 1, a: 2 }),
    content.seal("x".repeat(INLINE_BLOB_BYTES_MAX)),
  ];
  await expect(content.read(small)).rejects.toMatchObject(missing);
  hold([small, large]);
  expect(JSON.stringify(await content.read(small))).toBe('{"a":2,"b":1}');
  expect(await content.read(large)).toHaveLength(INLINE_BLOB_BYTES_MAX);
});

test("whoever changes what was read does not change what is read next", async () => {
  const { content, hold } = open();
  const blob = content.seal({ list: [1] });
  hold([blob]);
  Object.assign((await content.read(blob)) as object, { list: [] });
  expect(await content.read(blob)).toEqual({ list: [1] });
});

test("what was written stays at hand until the next is, but not what is large", async () => {
  const { content, hold, pass } = open();
  const [small, large] = [content.seal("small"), content.seal("x".repeat(INLINE_BLOB_BYTES_MAX))];
  hold([large, small]);
  pass();
  expect(await content.read(small)).toBe("small");
  await expect(content.read(large)).rejects.toMatchObject(missing);
  pass();
  await expect(content.read(small)).rejects.toMatchObject(missing);
});

test("of many that were written the latest 16 stay at hand", async () => {
  const { content, hold, pass } = open();
  const blobs = Array.from({ length: 17 }, (_, index) => content.seal(index));
  hold(blobs);
  pass();
  expect(await content.read(content.seal(16))).toBe(16);
  expect(await content.read(content.seal(1))).toBe(1);
  await expect(content.read(content.seal(0))).rejects.toMatchObject(missing);
});
