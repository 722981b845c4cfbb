import { expect, test } from "vitest";
import { findUnprinted } from "./match-output.ts";

const run = "ca20af55-9c1f-4d13-a5d8-0f9b5e2d7a41";
const other = "11111111-9c1f-4d13-a5d8-0f9b5e2d7a41";

test("ids, digests, times and the user may differ, and lines may be left out", () => {
  const shown = `run ${run}\n  ...\nby ada, sha256:ed0f, e45b85df at 2026-11-16T12:00:00.000Z`;
  const told = "by root, sha256:aa, 00112233 at 2027-01-01T00:00:00.000Z";
  const printed = `first\nrun ${other}\n\n${told}\n`;
  expect(findUnprinted(shown, printed, "root")).toBeUndefined();
});

test("other words, other numbers and another order are found", () => {
  expect(findUnprinted("42 events", "43 events", "root")).toBe("42 events");
  expect(findUnprinted("by ada", "by eve", "root")).toBe("by ada");
  expect(findUnprinted("two\none", "one\ntwo", "root")).toBe("one");
  expect(findUnprinted(`run ${run}`, "run", "root")).toBe("run <run>");
});
