import { NO_SPENDING } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatAmounts, formatSpending } from "./format-amounts.ts";

test("what is spent stands against its cap, in the order of the units", () => {
  const spending = { settled: { modelCalls: 2, turns: 1 }, assumed: {}, open: {} };
  expect(formatSpending(spending, { modelCalls: 8, toolCalls: 3 })).toBe(
    "turns 1, modelCalls 2 of 8, toolCalls 0 of 3",
  );
});

test("what is reserved and what is assumed is said beside it", () => {
  const spending = { settled: {}, assumed: { effects: 1 }, open: { effects: 2, toolCalls: 1 } };
  expect(formatSpending(spending, { effects: 5 })).toBe(
    "toolCalls 0 (+1 reserved), effects 0 (+1 assumed, +2 reserved) of 5",
  );
});

test("nothing is nothing, and no cap is no cap", () => {
  expect(formatSpending(NO_SPENDING, {})).toBe("nothing");
  expect(formatAmounts({})).toBe("no cap");
  expect(formatAmounts({ turns: 0, modelCalls: 3 })).toBe("turns 0, modelCalls 3");
});
