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

test("the operator's own units stand after the others", () => {
  const settled = { "payments.cents": 1_250, turns: 1 };
  expect(formatSpending({ ...NO_SPENDING, settled }, { "payments.cents": 5_000 })).toBe(
    "turns 1, payments.cents 1250 of 5000",
  );
  expect(formatAmounts({ "b.x": 1, "a.x": 2, effects: 1 })).toBe("effects 1, a.x 2, b.x 1");
});

test("nothing is nothing, and no cap is no cap", () => {
  expect(formatSpending(NO_SPENDING, {})).toBe("nothing");
  expect(formatAmounts({})).toBe("no cap");
  expect(formatAmounts({ turns: 0, modelCalls: 3 })).toBe("turns 0, modelCalls 3");
});
