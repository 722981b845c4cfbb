import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { PACKED_TEXT_BYTES_MAX, packText, unpackText } from "./pack-text.ts";
import { PACK_WORDS } from "./pack-words.ts";

const event = JSON.stringify({
  actor: { id: "kernel", kind: "kernel" },
  at: "2026-05-04T10:20:30.123Z",
  content: { durationMs: 12 },
  epoch: 1,
  type: "call.completed",
});
const dictionary = Buffer.from(PACK_WORDS);

test("a text comes back as it was, whatever it says", () => {
  const texts = [event, "", "{}", "Grüße, 世界", "\ufeffmark", "\u0000\uffff", event.repeat(1_000)];
  for (const text of texts) expect(unpackText(packText(text))).toBe(text);
});

test("an event takes a fraction of its text, and what would grow is written as it is", () => {
  expect(packText(event).length).toBeLessThan(event.length / 2);
  expect(packText(event)[0]).toBe(1);
  expect([...packText("äß")]).toEqual([0, ...Buffer.from("äß")]);
});

test("what is not a packed text throws", () => {
  const packed = packText(event);
  const flipped = Uint8Array.from(packed);
  flipped[packed.length - 9] = (flipped[packed.length - 9] ?? 0) ^ 1;
  for (const bytes of [
    new Uint8Array(),
    packed.subarray(0, 1),
    packed.subarray(0, -1),
    packed.subarray(0, -5),
    packed.subarray(1),
    flipped,
    Uint8Array.of(0, 0xff, 0xfe),
    Uint8Array.of(2, ...packed.subarray(1)),
  ]) {
    expect(() => unpackText(bytes)).toThrow();
  }
});

test("a text of PACKED_TEXT_BYTES_MAX is written and read, and one byte more is neither", () => {
  const text = " ".repeat(PACKED_TEXT_BYTES_MAX);
  expect(unpackText(packText(text)).length).toBe(PACKED_TEXT_BYTES_MAX);
  expect(() => packText(`${text} `)).toThrow("PACKED_TEXT_BYTES_MAX");
  const larger = zstdCompressSync(`${text} `, { dictionary });
  expect(() => unpackText(Uint8Array.of(1, ...larger))).toThrow();
});

test("bytes that were written once are read for ever", () => {
  // From the first version of the form: other words would give another text, or none.
  const kept = "ASi1L/0khz0BAJg1LTA0VDEwOjIwOjMwLjEyMzEyBgBeqwPK54fNpyFc62oeeCYCgZbfB4U=";
  expect(unpackText(Buffer.from(kept, "base64"))).toBe(event);
});
