import { expect, test } from "vitest";
import type { JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { followItems } from "./follow-items.ts";

type Said = readonly [type: string, content: JsonObject, call?: string];

function follow(said: readonly Said[]) {
  const items = followItems();
  return said.flatMap(([type, content, call = "whole"], index) => {
    const place = { sequence: index + 1, turn: 1, call };
    return items.follow({ ...place, type, content } as unknown as RawEvent);
  });
}

/** The numbers of the events at fault, from one. */
function findFaults(said: readonly Said[]): number[] {
  return follow(said).map(({ sequence = 0 }) => sequence);
}

const path = "/flow";
const fixed: Said = ["fanout.fixed", { path, items: 2 }];
const started: Said = ["child.started", { child: "pay", path: "/flow/items/0" }];
const claimed: Said = ["action.claimed", {}, "pay"];
const whole: Said = ["call.completed", {}];
const closed = (index: unknown, status = "ok"): Said => [
  "item.closed",
  { path, index: index as number, status },
];

test("items that end once, after their list was fixed, are sound", () => {
  const settled: Said = ["action.settled", {}, "pay"];
  const ended: Said = ["call.completed", {}, "pay"];
  const all = [fixed, started, claimed, settled, ended, closed(0), closed(1), whole];
  expect(findFaults(all)).toEqual([]);
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

test.each<readonly [string, readonly Said[], readonly number[]]>([
  ["an item without an end in a call that completes", [fixed, closed(0), whole], [3]],
  ["an item without an end in a call that fails", [fixed, ["call.errored", {}]], [2]],
  ["a number of items that is none", [["fanout.fixed", { path, items: "2" }], whole], [2]],
  ["an end before that of its call", [fixed, started, closed(0)], [3]],
  [
    "an end before that of a call below",
    [
      fixed,
      started,
      ["child.started", { child: "below" }, "pay"],
      ["call.errored", {}, "pay"],
      closed(0, "error"),
    ],
    [5],
  ],
])("%s is found", (_, said, faults) => {
  expect(findFaults(said)).toEqual(faults);
});

test("what is in an item that was withdrawn needs no end", () => {
  const inner: Said = ["fanout.fixed", { path: "/flow/items/0", items: 3 }];
  expect(
    findFaults([fixed, inner, started, closed(0, "withdrawn"), closed(1, "withdrawn"), whole]),
  ).toEqual([]);
});

test("a call in an inner item that was withdrawn does not keep the outer one open", () => {
  const at = "/flow/items/0";
  const inner: Said = ["fanout.fixed", { path: at, items: 1 }];
  const below: Said = ["child.started", { child: "below", path: `${at}/branches/0` }];
  const withdrawn: Said = ["item.closed", { path: at, index: 0, status: "withdrawn" }];
  expect(findFaults([fixed, inner, below, withdrawn, closed(0), closed(1), whole])).toEqual([]);
  expect(findFaults([fixed, inner, below, closed(0), withdrawn, closed(1), whole])).toEqual([4]);
});

const spread: Said = ["fanout.fixed", { path, items: 2, share: { turns: 3 } }];
const hand = (index: unknown, key: unknown, turns: unknown = 3): Said => [
  "action.claimed",
  {
    key: key as string,
    item: { path, index: index as number },
    grant: { budget: { turns } },
  } as never,
];
const settle = (key: string): Said => ["action.settled", { key }];

test("items that are runs end with them, or are withdrawn before", () => {
  const both = [spread, hand(0, "a"), hand(1, "b")];
  expect(findFaults([...both, settle("b"), settle("a"), whole])).toEqual([]);
  expect(findFaults([...both, settle("b"), closed(0, "withdrawn"), settle("a"), whole])).toEqual(
    [],
  );
  const asked: Said = ["approval.requested", { key: "a", item: { path, index: 0 } }];
  expect(findFaults([spread, asked, closed(0, "error"), closed(1, "error"), whole])).toEqual([]);
  expect(findFaults([spread, asked, hand(0, "a"), hand(0, "a"), settle("a")])).toEqual([]);
});

test.each<readonly [string, readonly Said[], readonly number[]]>([
  ["a run of a list that was not fixed", [hand(0, "a")], [1]],
  ["a run of a list without a share", [fixed, hand(0, "a")], [2]],
  ["a run beyond the list", [spread, hand(2, "a")], [2]],
  ["a run of no item", [spread, hand("0", "a"), hand(0, 7), hand(-1, "a")], [2, 3, 4]],
  ["a run of an item that is no object", [spread, ["action.claimed", { item: 0 }]], [2]],
  ["a second run of an item", [spread, hand(0, "a"), hand(0, "b")], [3]],
  ["a run of two items", [spread, hand(0, "a"), hand(1, "a")], [3]],
  ["a run of an item that was withdrawn", [spread, closed(0, "withdrawn"), hand(0, "a")], [3]],
  ["a request for one", [spread, closed(0), ["approval.requested", { ...hand(0, "a")[1] }]], [3]],
  ["an end beside that of the run", [spread, hand(0, "a"), settle("a"), closed(0)], [4]],
  ["a withdrawal after it", [spread, hand(0, "a"), settle("a"), closed(0, "withdrawn")], [4]],
  ["an end while its run goes on", [spread, hand(0, "a"), closed(0, "error")], [3]],
  ["an item whose run goes on", [spread, hand(0, "a"), closed(1, "withdrawn"), whole], [4]],
  [
    "a run in an item around it that has ended",
    [
      fixed,
      ["fanout.fixed", { path: `${path}/items/1`, items: 1, share: {} }],
      closed(1, "withdrawn"),
      ["action.claimed", { key: "a", item: { path: `${path}/items/1`, index: 0 } }],
    ],
    [4],
  ],
])("%s is found", (_, said, faults) => {
  const found = follow(said);
  expect(found.map(({ code }) => code)).toEqual(faults.map(() => "TURN_ORDER"));
  expect(found.map(({ sequence }) => sequence)).toEqual(faults);
});

test.each<readonly [string, unknown, number]>([
  ["as much as its share", 3, 0],
  ["less", 0, 0],
  ["more", 4, 1],
  ["no cap", undefined, 1],
  ["no amount", "3", 1],
])("the run of an item may be given no more than its share: %s", (_, turns, faults) => {
  const found = follow([spread, hand(0, "a", turns === undefined ? null : turns)]);
  expect(found.map(({ code }) => code)).toEqual(Array(faults).fill("GRANT_WIDENED"));
});

const endOf = (of: string, status: string): Said => ["item.closed", { path: of, index: 0, status }];

test("a path with very many items takes no more memory than its length", () => {
  const long = `/f${"/items/0".repeat(50_000)}`;
  const fix: Said = ["fanout.fixed", { path: long, items: 1 }];
  expect(findFaults([fix, endOf(long, "ok")])).toEqual([]);
});

test("an item is found by its number, and by what stands before it to the letter", () => {
  const inner: Said = ["fanout.fixed", { path: "/flow/items/00/g", items: 1 }];
  const late: Said = ["child.started", { child: "b", path: "/flow/items/00" }];
  const ends = [endOf("/flow/items/0/g", "ok"), endOf(path, "ok")];
  expect(findFaults([fixed, inner, ...ends, late])).toEqual([3, 5]);
});

test("a call in an item that was withdrawn keeps no item around it from its end", () => {
  const inner = "/flow/items/0/g";
  const fix: Said = ["fanout.fixed", { path: inner, items: 1 }];
  const begin: Said = ["child.started", { child: "pay", path: `${inner}/items/0` }];
  const ended: Said = ["call.errored", {}, "pay"];
  expect(findFaults([fixed, fix, begin, endOf(path, "ok")])).toEqual([4]);
  const ends = [endOf(inner, "withdrawn"), endOf(path, "ok"), ended];
  expect(findFaults([fixed, fix, begin, ...ends])).toEqual([]);
});
