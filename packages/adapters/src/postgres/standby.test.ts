import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScratch, type Scratch } from "./scratch-database.test.data.ts";
import { checkDurability, listMissing } from "./standby.ts";
import type { StandbyFacts } from "./statements/read-standby.ts";

const safe: StandbyFacts = {
  ...{ commit: "on", names: "FIRST 1 (second)", fsync: "on", canSee: true, synchronous: 1 },
};

const refused: readonly [string, Partial<StandbyFacts>, string][] = [
  ["without names", { names: "" }, "synchronous_standby_names is empty"],
  ["with names of spaces", { names: "  " }, "synchronous_standby_names is empty"],
  ["with nobody connected", { synchronous: 0 }, "no synchronous standby is connected"],
  ["with local commits", { commit: "local" }, "synchronous_commit is local"],
  ["with commits off", { commit: "off" }, "synchronous_commit is off"],
  [
    "with a standby that only received",
    { commit: "remote_write" },
    "synchronous_commit is remote_write",
  ],
  ["without fsync", { fsync: "off" }, "fsync is off"],
];

describe("production", () => {
  test.each(refused)("%s is refused, and says why", (_, facts, missing) => {
    expect(listMissing({ ...safe, ...facts })).toEqual([missing]);
    expect(() => checkDurability({ ...safe, ...facts }, { mode: "production" })).toThrow(
      expect.objectContaining({ code: "STORE_NOT_REPLICATED", retry: "pause" }),
    );
  });

  test.each(refused)("%s runs when a flag says so, and reports it", (_, facts, missing) => {
    const options = { mode: "production", withoutStandby: true } as const;
    expect(checkDurability({ ...safe, ...facts }, options)).toEqual({
      mode: "production",
      missing: [missing],
      isOverridden: true,
    });
  });

  test("with a synchronous standby runs, and a flag that is not needed overrides nothing", () => {
    const expected = { mode: "production", missing: [], isOverridden: false };
    for (const facts of [safe, { ...safe, commit: "remote_apply" }])
      for (const withoutStandby of [false, true])
        expect(checkDurability(facts, { mode: "production", withoutStandby })).toEqual(expected);
    // A role that cannot see standbys relies on the settings, under which a commit waits for one.
    expect(listMissing({ ...safe, canSee: false, synchronous: 0 })).toEqual([]);
  });
});

describe("on a server without a standby", () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await createScratch();
  });
  afterAll(() => scratch.drop());

  test("development opens and says what is missing", async () => {
    const { durability } = await scratch.open();
    expect(durability).toMatchObject({ mode: "development", isOverridden: false });
    expect(durability.missing).toContain("synchronous_standby_names is empty");
  });

  test("production is refused, or overridden by its flag", async () => {
    await expect(scratch.open({ mode: "production" })).rejects.toMatchObject({
      code: "STORE_NOT_REPLICATED",
    });
    const stores = await scratch.open({ mode: "production", withoutStandby: true });
    expect(stores.durability).toMatchObject({ mode: "production", isOverridden: true });
  });
});
