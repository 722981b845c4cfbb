import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { chooseLane, formatLaneKey, LANES_DEFAULT, parseLaneKey } from "./lane-key.ts";

test("runs are spread over the lanes of a tenant, each always into the same", () => {
  const counts = Array.from({ length: LANES_DEFAULT }, () => 0);
  for (let count = 0; count < 6_400; count++) {
    const run = randomUUID();
    const lane = chooseLane(run);
    expect(chooseLane(run)).toBe(lane);
    counts[lane] = (counts[lane] ?? 0) + 1;
  }
  expect(counts).toHaveLength(LANES_DEFAULT);
  expect(Math.min(...counts)).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBeLessThan(200);
});

test.each([1, 2, 7])("with %d lanes there are no others", (lanes) => {
  for (let count = 0; count < 100; count++) {
    const lane = chooseLane(randomUUID(), lanes);
    expect(lane).toBeGreaterThanOrEqual(0);
    expect(lane).toBeLessThan(lanes);
  }
});

test("the key of a lane is its tenant and its number", () => {
  const lane = { tenant: "acme", lane: 12 };
  expect(parseLaneKey(formatLaneKey(lane))).toEqual(lane);
});

test("each lane of a tenant with a vast cap is one", () => {
  for (let count = 0; count < 100; count++) {
    const lane = { tenant: "acme", lane: chooseLane(randomUUID(), 10 ** 12) };
    expect(parseLaneKey(formatLaneKey(lane))).toEqual(lane);
  }
});

test.each(["", "acme", "acme:", ":1", "acme:x", "acme:1:2", "ac me:1", "acme:-1", "acme:1e3"])(
  "%j is no lane",
  (key) => {
    expect(parseLaneKey(key)).toBeUndefined();
  },
);
