import fc from "fast-check";
import { expect, test } from "vitest";
import { OUTPUT_PREVIEW_BYTES_MAX, OUTPUT_RANGE_BYTES_MAX } from "../limits.ts";
import { previewOutput, readRange } from "./preview-output.ts";

test("what fits is shown whole, by its bytes and not its letters", () => {
  expect(previewOutput("a".repeat(OUTPUT_PREVIEW_BYTES_MAX))).toBeUndefined();
  expect(previewOutput("é".repeat(OUTPUT_PREVIEW_BYTES_MAX / 2))).toBeUndefined();
  expect(previewOutput("é".repeat(OUTPUT_PREVIEW_BYTES_MAX / 2 + 1))).toMatchObject({
    preview: "é".repeat(OUTPUT_PREVIEW_BYTES_MAX / 2),
    bytes: OUTPUT_PREVIEW_BYTES_MAX + 2,
  });
  expect(previewOutput({ small: true })).toBeUndefined();
});

test("a preview ends before a character that does not fit whole", () => {
  const output = `${"a".repeat(OUTPUT_PREVIEW_BYTES_MAX - 1)}💡`;
  expect(previewOutput(output)).toMatchObject({ preview: output.slice(0, -2) });
});

test("what is no text is shown and read as canonical JSON", () => {
  const output = { b: "x".repeat(OUTPUT_PREVIEW_BYTES_MAX), a: 1 };
  expect(String(previewOutput(output)?.["preview"]).slice(0, 12)).toBe('{"a":1,"b":"');
  expect(readRange(output, { from: 0, bytes: 6 })).toMatchObject({ text: '{"a":1', next: 6 });
});

test("ranges that follow each other are the whole, whatever their size", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (output, bytes) => {
      let [read, next]: [string, unknown] = ["", 0];
      for (let rounds = 0; typeof next === "number"; rounds++) {
        expect(rounds).toBeLessThan(1_000);
        const range = readRange(output, { from: next, bytes });
        read += String(range["text"]);
        next = range["next"];
      }
      expect(read).toBe(output.toWellFormed());
    }),
    { seed: 7 },
  );
});

test("a range is at most OUTPUT_RANGE_BYTES_MAX long, and begins with a whole character", () => {
  const output = "é".repeat(OUTPUT_RANGE_BYTES_MAX);
  const range = readRange(output, { from: 3, bytes: 10 * OUTPUT_RANGE_BYTES_MAX });
  expect(range["from"]).toBe(2);
  expect(Buffer.byteLength(String(range["text"]))).toBeLessThanOrEqual(OUTPUT_RANGE_BYTES_MAX + 1);
  expect(readRange(output, { from: 10 ** 9, bytes: 1 })).toEqual({
    text: "",
    from: 2 * OUTPUT_RANGE_BYTES_MAX,
    bytes: 2 * OUTPUT_RANGE_BYTES_MAX,
  });
});
