import type { JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { FLOW_REASON_LENGTH_MAX, ITEM_LABEL_LENGTH_MAX } from "../../../limits.ts";
import { fail } from "../../../outcome.ts";
import { tellFailure } from "../tell-failure.ts";
import { labelItem } from "./label-item.ts";

test.each<[JsonValue, string | undefined]>([
  ["Oslo", "Oslo"],
  [7, "7"],
  ["", undefined],
  [null, undefined],
  [true, undefined],
  [["Oslo"], undefined],
  [{ id: "A-17", name: "Oslo" }, "Oslo"],
  [{ id: 17, name: { first: "Ada" } }, "17"],
  [{ text: "Oslo" }, undefined],
  ["x".repeat(ITEM_LABEL_LENGTH_MAX), "x".repeat(ITEM_LABEL_LENGTH_MAX)],
  ["x".repeat(ITEM_LABEL_LENGTH_MAX + 1), "x".repeat(ITEM_LABEL_LENGTH_MAX)],
])("the label of %j is %j", (item, label) => {
  expect(labelItem(item)).toBe(label);
});

test("a name of every object is no label", () => {
  expect(labelItem(JSON.parse('{"__proto__": {"name": "x"}}'))).toBeUndefined();
});

test("a flow is told FLOW_REASON_LENGTH_MAX units of a reason, and no half character", () => {
  const told = (reason: string): unknown =>
    tellFailure({ ...fail("TOOL_FAILED", "it failed"), reason })["reason"];
  const longest = "x".repeat(FLOW_REASON_LENGTH_MAX);
  expect(told(longest)).toBe(longest);
  expect(told(`${longest}y`)).toBe(longest);
  expect(told(`${longest.slice(1)}😀`)).toBe(`${longest.slice(1)}\ufffd`);
  expect(tellFailure(fail("TOOL_FAILED", "it failed"))).not.toHaveProperty("reason");
});
