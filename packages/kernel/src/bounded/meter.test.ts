import { expect, test } from "vitest";
import { isSpent, spend } from "./meter.ts";

test("the last step can be taken, and the one after it cannot", () => {
  const meter = { stepsLeft: 3 };
  expect(spend(meter, 3)).toBe(true);
  expect(isSpent(meter)).toBe(false);
  expect(spend(meter, 1)).toBe(false);
  expect(isSpent(meter)).toBe(true);
});

test("what was spent does not come back", () => {
  const meter = { stepsLeft: 1 };
  expect(spend(meter, 2)).toBe(false);
  expect(spend(meter, 0)).toBe(false);
});
