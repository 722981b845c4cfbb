import { expect, test } from "vitest";
import { bindContract, type ContractOptions } from "./contract.ts";
import { findMissed } from "./find-missed.test.data.ts";

const contract = (options: ContractOptions<number>) =>
  bindContract(
    {
      "is even": async (number) => expect(number % 2).toBe(0),
      "is small": async (number) => expect(number).toBeLessThan(10),
    },
    options,
  );

test("a contract whose every sentence finds its broken one misses nothing", async () => {
  const broken = { "is even": () => 1, "is small": () => 10 };
  expect(await findMissed(contract, broken)).toEqual([]);
});

test("a broken one that passes, one that is not given, and one too many are named", async () => {
  const broken = { "is even": () => 2, "is odd": () => 2 };
  expect(await findMissed(contract, broken)).toEqual(["is odd", "is even", "is small"]);
});
