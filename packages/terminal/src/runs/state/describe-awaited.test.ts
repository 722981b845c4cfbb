import { expect, test } from "vitest";
import { describeLifts } from "./describe-awaited.ts";

test("how often a quarantine was lifted is said where it was", () => {
  expect(describeLifts({ lifts: 2 })).toEqual(["people have lifted its quarantine 2 times"]);
  expect(describeLifts({})).toEqual([]);
  expect(describeLifts(undefined)).toEqual([]);
});
