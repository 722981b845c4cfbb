import { isUuid } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import type { Ids } from "./ids.ts";
import { idsContract } from "./ids-contract.ts";
import { randomIds } from "./random-ids.ts";
import { seededIds } from "./seeded-ids.ts";

describe("seeded ids keep the contract", () => {
  for (const { name, run } of idsContract({ create: () => seededIds("seed") })) test(name, run);
});

describe("random ids keep the contract", () => {
  for (const { name, run } of idsContract({ create: () => randomIds })) test(name, run);
});

describe("the contract finds ids that do not keep it", () => {
  const createCounter = (): Ids => {
    let count = 0;
    return { create: () => seededIds("counter").create(String(count++ % 3)) };
  };
  const broken: Record<string, () => Ids> = {
    "an id is a lower-case UUID of version 4": () => ({ create: (path) => path }),
    "different paths give different ids": () => ({ create: () => seededIds("").create("same") }),
    "the answer does not depend on the order of asking": createCounter,
  };
  const names = idsContract({ create: () => randomIds }).map(({ name }) => name);

  test.each(names)("%s", async (name) => {
    const contract = idsContract({ create: broken[name] ?? (() => randomIds) });
    await expect(contract.find((found) => found.name === name)?.run()).rejects.toThrow();
  });
});

test("the same seed and path give the same id, another seed another one", () => {
  const id = seededIds("one").create("calls/0");
  expect(isUuid(id)).toBe(true);
  expect(seededIds("one").create("calls/0")).toBe(id);
  expect(seededIds("two").create("calls/0")).not.toBe(id);
});

test("a seed cannot be mistaken for the beginning of a path", () => {
  expect(seededIds("a").create("b/c")).not.toBe(seededIds("a/b").create("c"));
});
