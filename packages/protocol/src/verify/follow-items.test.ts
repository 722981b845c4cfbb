import { expect, test } from "vitest";
import type { JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { followItems } from "./follow-items.ts";

type Said = readonly [type: string, content: JsonObject, call?: string];

/** The numbers of the events at fault, from one. */
function findFaults(said: readonly Said[]): number[] {
  const items = followItems();
  return said.flatMap(([type, content, call = "whole"], index) => {
    const place = { sequence: index + 1, turn: 1, call };
    return items
      .follow({ ...place, type, content } as unknown as RawEvent)
      .map(({ sequence = 0 }) => sequence);
  });
}

const path = "/flow";
const fixed: Said = ["fanout.fixed", { path, items: 2 }];
const started: Said = ["child.started", { child: "pay", path: "/flow/items/0" }];
const claimed: Said = ["action.claimed", {}, "pay"];
const closed = (index: unknown, status = "ok"): Said => [
  "item.closed",
  { path, index: index as number, status },
];

test("items that end once, after their list was fixed, are sound", () => {
  const settled: Said = ["action.settled", {}, "pay"];
  expect(findFaults([fixed, started, claimed, settled, closed(0), closed(1)])).toEqual([]);
});

test.each<readonly [string, readonly Said[], readonly number[]]>([
  ["a list that is fixed twice", [fixed, fixed], [2]],
  ["an end without a list", [closed(0)], [1]],
  ["an end of another call", [fixed, ["item.closed", { path, index: 0 }, "other"]], [2]],
  ["a second end", [fixed, closed(0), closed(0, "withdrawn")], [3]],
  ["an end beyond the list", [fixed, closed(2)], [2]],
  ["an end that is no number", [fixed, closed("0"), closed(-1), closed(0.5)], [2, 3, 4]],
  ["a call in an item that has ended", [fixed, closed(0, "withdrawn"), started], [3]],
  ["a claim after the end", [fixed, started, closed(0, "withdrawn"), claimed], [4]],
  [
    "a request of a call below it after the end",
    [
      fixed,
      started,
      ["child.started", { child: "below" }, "pay"],
      closed(0, "withdrawn"),
      ["approval.requested", {}, "below"],
    ],
    [5],
  ],
  [
    "a wait in an item that has ended",
    [fixed, closed(0), ["question.asked", { path: "/flow/items/0/nodes/1" }]],
    [3],
  ],
  [
    "an inner item after the end of the outer one",
    [fixed, closed(1), ["child.started", { child: "in", path: "/flow/items/1/branches/0" }]],
    [3],
  ],
])("%s is found", (_, said, faults) => {
  expect(findFaults(said)).toEqual(faults);
});

test("an item of another turn, and one whose number begins the same, are others", () => {
  const tenth: Said = ["child.started", { child: "pay", path: "/flow/items/10" }];
  expect(findFaults([["fanout.fixed", { path, items: 11 }], closed(1), tenth])).toEqual([]);
  const next: Said = ["turn.started", {}];
  expect(findFaults([fixed, closed(0), next, fixed, closed(0)])).toEqual([]);
});

test("what was begun may end after the item has", () => {
  const settled: Said = ["action.settled", {}, "pay"];
  const unknown: Said = ["action.unknown", {}, "pay"];
  expect(findFaults([fixed, started, claimed, closed(0, "withdrawn"), settled, unknown])).toEqual(
    [],
  );
});
