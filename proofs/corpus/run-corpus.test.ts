import { expect, test } from "vitest";
import { makeCase } from "./make-case.ts";
import { runCorpus } from "./run-corpus.ts";

const say = (): void => {};

test("the same seed gives the same cases, and another gives others", () => {
  const [one, again, other] = [makeCase(1, 40), makeCase(1, 40), makeCase(2, 40)];
  expect(JSON.stringify(again)).toBe(JSON.stringify(one));
  expect(JSON.stringify(other)).not.toBe(JSON.stringify(one));
});

test("both verifiers agree, and honest runs are accepted", async () => {
  const { disagreements, honestRefused, kinds } = await runCorpus({
    ...{ seed: 7, first: 10, count: 120, say },
  });
  expect({ disagreements, honestRefused }).toEqual({ disagreements: [], honestRefused: [] });
  const isHonest = (kind: string): boolean => kind.startsWith("honest");
  const honest = [...kinds].filter(([kind]) => isHonest(kind));
  const spoiled = [...kinds].filter(([kind]) => !isHonest(kind));
  const count = (some: typeof honest): number =>
    some.reduce((sum, [, { refused }]) => sum + refused, 0);
  // A corpus in which nothing is refused, or everything, would compare nothing.
  expect(honest.length).toBeGreaterThan(2);
  expect(count(spoiled)).toBeGreaterThan(30);
});
