import { describe, expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { FILE_BYTES_MAX, FILE_NAME_LENGTH_MAX, FILES_MAX } from "./file-limits.ts";
import { isFileName, isFileRef, listFiles, toBlobRef, toFileRef } from "./file-ref.ts";

const digest = (at: number): `hmac-sha256:${string}` =>
  `hmac-sha256:${at.toString(16).padStart(64, "0")}`;
const file = (at: number) => ({ file: digest(at), mediaType: "image/png", bytes: 12 });

describe("a file in JSON is closed", () => {
  test.each([
    [file(1)],
    [{ ...file(1), name: "a photo.png" }],
    [{ ...file(1), bytes: FILE_BYTES_MAX }],
  ])("%o", (value) => expect(isFileRef(value)).toBe(true));

  test.each([
    ["another field", { ...file(1), url: "https://example.com" }],
    ["a plain digest", { ...file(1), file: `sha256:${"0".repeat(64)}` }],
    ["a digest that is too short", { ...file(1), file: "hmac-sha256:00" }],
    ["an unknown type", { ...file(1), mediaType: "text/html" }],
    ["no size", { file: digest(1), mediaType: "image/png" }],
    ["a size of nothing", { ...file(1), bytes: 0 }],
    ["a size beyond the largest", { ...file(1), bytes: FILE_BYTES_MAX + 1 }],
    ["half a byte", { ...file(1), bytes: 1.5 }],
    ["a name that is a path", { ...file(1), name: "../a.png" }],
    ["a list", [file(1)]],
    ["nothing", null],
  ])("%s is none", (_, value) => expect(isFileRef(value)).toBe(false));
});

test("a name is one line, and no path", () => {
  expect(isFileName("a".repeat(FILE_NAME_LENGTH_MAX))).toBe(true);
  expect(isFileName("a".repeat(FILE_NAME_LENGTH_MAX + 1))).toBe(false);
  for (const name of [
    "",
    "a/b",
    "a\\b",
    "a\nb",
    "a\0b",
    "\ud800",
    "a\u2028b",
    ".",
    "..",
    "a\u202egnp.exe",
    "\u2066a",
    5,
  ])
    expect(isFileName(name)).toBe(false);
});

describe("the files of a value", () => {
  test("stand in the order of lists and of names, each once", () => {
    const value = { z: file(1), a: [file(2), { deep: file(3) }, file(1)], words: "file" };
    expect(listFiles(value)).toEqual([file(2), file(3), file(1)]);
    const other = { words: "file", a: [file(2), { deep: file(3) }, file(1)], z: file(1) };
    expect(listFiles(other)).toEqual(listFiles(value));
  });

  test("are at most FILES_MAX", () => {
    const many: JsonValue = Array.from({ length: FILES_MAX + 1 }, (_, at) => file(at));
    expect(listFiles(many)).toEqual(many.slice(0, FILES_MAX));
  });

  test("are found in a list of any length", () => {
    const long: JsonValue[] = Array.from({ length: 400_000 }, () => 0);
    expect(listFiles([...long, file(1)])).toEqual([file(1)]);
  });
});

test("an event names a file without what people call it", () => {
  const named = { ...file(1), name: "a.png" };
  expect(toBlobRef(named)).toEqual({ digest: digest(1), size: 12, mediaType: "image/png" });
  expect(toFileRef(toBlobRef(named))).toEqual(file(1));
});
