import { expect, test } from "vitest";
import { formatPointer, parsePointer, readPointer, readSegment } from "./pointer.ts";

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

test.each(["", "a", "a/b", "/a~", "/a~2"])("%j is no pointer to something inside", (pointer) => {
  expect(parsePointer(pointer)).toBeUndefined();
});

test("a pointer leads to what stands there, and to nothing that is only inherited", () => {
  const value = { a: [{ "b/c": 1 }], "": 2 };
  const read = (pointer: string) => readPointer(value, parsePointer(pointer) ?? []);
  expect(read("/a/0/b~1c")).toBe(1);
  expect(read("/")).toBe(2);
  for (const pointer of ["/b", "/a/1", "/a/00", "/a/length", "/constructor", "/a/0/b~1c/x"])
    expect(read(pointer), pointer).toBeUndefined();
});
