import { expect, test } from "vitest";
import { compileCondition } from "./condition.ts";

test.each<[string, readonly string[] | "all"]>([
  ["args.cents > 1", []],
  ["spend.effects > 1", ["effects"]],
  ["spend['payments.cents'] + args.cents > 1", ["payments.cents"]],
  ["'payments.cents' in spend && spend.effects > 1", ["payments.cents", "effects"]],
  ["has(spend.moneyMicros)", ["moneyMicros"]],
  ["args.list.exists(each, spend[each] > 1)", "all"],
  ["spend[args.unit] > 1", "all"],
  ["args.unit in spend", "all"],
  ["spend == args.cents", "all"],
  ["size(spend) > 1", "all"],
  ["[spend].exists(each, each.effects > 1)", "all"],
  // It is a field of something else.
  ["args.spend > 1", []],
  ["args.spend.cents > 1 && 'cents' in args.spend", []],
])("of what was spent, %s reads %j", (when, read) => {
  const compiled = compileCondition(when);
  expect(compiled).toMatchObject({ kind: "compiled", unitsRead: read });
});
