import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { packRecord, RECORD_BYTES_MAX, unpackRecord } from "./pack-record.ts";
import { RECORD_WORDS } from "./record-words.ts";

const event = JSON.stringify({
  actor: { id: "kernel", kind: "kernel" },
  at: "2026-05-04T10:20:30.123Z",
  content: { durationMs: 12 },
  epoch: 1,
  type: "call.completed",
});

test("a record comes back as it was, whatever it says", () => {
  for (const text of [event, "", "{}", "Grüße, 世界", "\u0000\uffff", event.repeat(1_000)]) {
    expect(unpackRecord(packRecord(text))).toBe(text);
  }
});

test("an event takes a fraction of its text", () => {
  expect(packRecord(event).length).toBeLessThan(event.length / 2);
});

test("what is not a packed record throws", () => {
  const packed = packRecord(event);
  for (const bytes of [
    packed.subarray(0, -1),
    new Uint8Array(),
    deflateRawSync("x", { level: 0 }).subarray(1),
  ]) {
    expect(() => unpackRecord(bytes)).toThrow();
  }
});

test("a record of RECORD_BYTES_MAX is written and read, and one byte more is neither", () => {
  expect(unpackRecord(packRecord(" ".repeat(RECORD_BYTES_MAX))).length).toBe(RECORD_BYTES_MAX);
  const larger = " ".repeat(RECORD_BYTES_MAX + 1);
  expect(() => packRecord(larger)).toThrow("RECORD_BYTES_MAX");
  expect(() => unpackRecord(deflateRawSync(larger))).toThrow();
});

test("the words fit into the window in which they can be referred to", () => {
  expect(RECORD_WORDS.length).toBeLessThan(32_768 - 262);
});
