import { StoreError } from "@turnseal/ports";
import type { Pause } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { PAUSES_KEPT_MS, recentPauses } from "./recent-pauses.ts";

const pause = (scope: Pause["scope"], name: string): Pause => ({
  ...{ scope, name, because: "x", by: "ada", since: "2026-01-31T12:00:00.000Z" },
});

test("what is paused is asked for once in PAUSES_KEPT_MS, for all tenants", async () => {
  const place = { nowMs: 0, asked: 0, pauses: [pause("tenant", "acme"), pause("tool", "t")] };
  const listPauses = async () => {
    place.asked += 1;
    return place.pauses;
  };
  const pausesOf = recentPauses({ listPauses }, () => place.nowMs);
  expect(await pausesOf("acme")()).toEqual(place.pauses);
  expect(await pausesOf("globex")()).toEqual([pause("tool", "t")]);
  place.pauses = [];
  place.nowMs = PAUSES_KEPT_MS - 1;
  expect(await pausesOf("globex")()).toEqual([pause("tool", "t")]);
  expect(place.asked).toBe(1);
  place.nowMs = PAUSES_KEPT_MS;
  expect(await pausesOf("acme")()).toEqual([]);
  expect(place.asked).toBe(2);
});

test("a database that is away is asked again at once, and nothing is made up", async () => {
  let isAway = true;
  const listPauses = async () => {
    if (isAway) throw new StoreError("STORE_UNREACHABLE", "away");
    return [];
  };
  const pauses = recentPauses({ listPauses })("acme");
  await expect(pauses()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  isAway = false;
  expect(await pauses()).toEqual([]);
});
