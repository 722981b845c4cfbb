import { expect, test } from "vitest";
import { LOOK_DELAY_MS_MAX, LOOKS_MAX } from "../decide/look.ts";
import { isLooks } from "./looks.ts";

const run = "0f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

test("runs with or without a time are looks", () => {
  expect(isLooks([])).toBe(true);
  expect(isLooks([{ run }, { run, delayMs: 0 }, { run, delayMs: LOOK_DELAY_MS_MAX }])).toBe(true);
  expect(isLooks(Array.from({ length: LOOKS_MAX }, () => ({ run })))).toBe(true);
});

test.each([
  ["no list", { run }],
  ["the key of another tenant", [{ run: `other:${run}` }]],
  ["a run that is none", [{ run: "last" }]],
  ["a time before now", [{ run, delayMs: -1 }]],
  ["a time that is too far away", [{ run, delayMs: LOOK_DELAY_MS_MAX + 1 }]],
  ["something else beside it", [{ run, tenant: "other" }]],
  ["more than one message takes", Array.from({ length: LOOKS_MAX + 1 }, () => ({ run }))],
])("%s is refused", (_, looks) => {
  expect(isLooks(looks)).toBe(false);
});
