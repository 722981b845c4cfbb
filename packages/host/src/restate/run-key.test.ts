import { expect, test } from "vitest";
import { formatRunKey, parseRunKey } from "./run-key.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

test("a key is read back as it was made", () => {
  const key = { tenant: "acme", run };
  expect(parseRunKey(formatRunKey(key))).toEqual(key);
});

test.each([
  `acme:${"-".repeat(36)}`,
  `acme:${"0".repeat(36)}`,
  `acme:${run.toUpperCase()}`,
  `acme:${run}\n`,
  `acme: ${run}`,
  `acme:${run}:${run}`,
  `:${run}`,
  run,
  "acme:",
  "",
])("%j is the key of no run", (key) => {
  expect(parseRunKey(key)).toBeUndefined();
});
