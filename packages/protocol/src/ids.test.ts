import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { cellOf, inCell, isCell, isUuid, uuidFrom } from "./ids.ts";

test("a UUID depends on the text alone", () => {
  expect(uuidFrom("a")).toBe(uuidFrom("a"));
  expect(uuidFrom("a")).not.toBe(uuidFrom("b"));
});

test("a UUID is the head of the text's SHA-256 with the bits of version 4", () => {
  const hash = createHash("sha256").update("seed\ncalls/0").digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const expected = hash.toString("hex").slice(0, 32);
  expect(uuidFrom("seed\ncalls/0").replaceAll("-", "")).toBe(expected);
});

test("every text gives a UUID of version 4, and different texts different ones", () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => uuidFrom(`path/${index}`));
  expect(ids.filter((id) => !isUuid(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.charAt(19)))).toEqual(new Set(["8", "9", "a", "b"]));
});

test.each([
  ["a random one", "f47ac10b-58cc-4372-a567-0e02b2c3d479", true],
  ["capitals", "F47AC10B-58CC-4372-A567-0E02B2C3D479", false],
  ["version 1", "f47ac10b-58cc-1372-a567-0e02b2c3d479", false],
  ["version 7", "f47ac10b-58cc-7372-a567-0e02b2c3d479", false],
  ["another variant", "f47ac10b-58cc-4372-c567-0e02b2c3d479", false],
  ["no hyphens", "f47ac10b58cc4372a5670e02b2c3d479", false],
  ["a line feed at the end", "f47ac10b-58cc-4372-a567-0e02b2c3d479\n", false],
  ["braces", "{f47ac10b-58cc-4372-a567-0e02b2c3d479}", false],
  ["nothing", "", false],
])("isUuid: %s", (_, text, expected) => {
  expect(isUuid(text)).toBe(expected);
});

test("an id in a cell begins with it, and is an id of a run as before", () => {
  const id = uuidFrom("a run");
  const placed = inCell(id, "00a");
  expect(isUuid(placed)).toBe(true);
  expect(cellOf(placed)).toBe("00a");
  expect(placed.slice(3)).toBe(id.slice(3));
});

test.each(["", "0a", "00A", "00g", "000a", "00a\n"])("%j is no cell", (text) => {
  expect(isCell(text)).toBe(false);
});
