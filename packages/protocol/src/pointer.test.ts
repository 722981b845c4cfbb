import { expect, test } from "vitest";
import { formatPointer, readSegment } from "./pointer.ts";

test("a pointer names each key in turn, and nothing names the whole", () => {
  expect(formatPointer([])).toBe("");
  expect(formatPointer(["a", 0, ""])).toBe("/a/0/");
});

test.each([
  ["a/b", "/a~1b"],
  ["a~b", "/a~0b"],
  ["~1", "/~01"],
  ["~0/", "/~00~1"],
])("the key %s is %s, and is read back as it was", (key, pointer) => {
  expect(formatPointer([key])).toBe(pointer);
  expect(readSegment(pointer.slice(1))).toBe(key);
});
