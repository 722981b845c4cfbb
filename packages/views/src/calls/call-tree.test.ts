import type { CoreCallEvent } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { applyToTree, EMPTY_TREE, ITEMS_SHOWN_MAX, type Row } from "./call-tree.ts";

type Said = CoreCallEvent extends infer Event
  ? Event extends CoreCallEvent
    ? Omit<Event, "at">
    : never
  : never;

function draw(events: readonly Said[]): string[] {
  let tree = EMPTY_TREE;
  const at = "2026-01-31T12:00:00.000Z";
  for (const event of events) tree = applyToTree(tree, { ...event, at } as CoreCallEvent);
  return tree.rows.map((row) => `${"  ".repeat(row.depth)}${name(row)}`);
}

function name(row: Row): string {
  if (row.kind === "call") return `${row.loop} ${row.state}`;
  if (row.kind === "note") return `${row.level} ${row.text}`;
  if (row.kind === "action") return `${row.name} ${row.state}`;
  const { items, ok, failed, withdrawn, state } = row;
  return `items ${items}, ${ok} ok, ${failed} failed, ${withdrawn} withdrawn, ${state}`;
}

const start = (call: string, parentCall?: string): Said => ({
  type: "call.started",
  call,
  ...(parentCall === undefined ? {} : { parentCall }),
  content: { loop: call, version: "1.0.0" },
});
const claim = (call: string, parentCall: string, tool: string): Said => ({
  ...{ type: "action.claimed", call, parentCall },
  content: { action: "tool", tool },
});
const end = (call: string): Said => ({ type: "call.completed", call, content: { durationMs: 0 } });
const child = (call: string, index: number, of = "root"): Said => ({
  ...{ type: "child.started", call: of },
  content: { child: call, loop: call, step: index, path: `/flow/items/${index}` },
});
const fix = (items: number): Said => ({
  ...{ type: "fanout.fixed", call: "root" },
  content: { path: "/flow", items },
});
const close = (index: number, status: "ok" | "error" | "withdrawn"): Said => ({
  ...{ type: "item.closed", call: "root" },
  content: { path: "/flow", index, status },
});

test("what runs at once stands below its own call, in the order in which it began there", () => {
  const tree = draw([
    ...[start("root"), fix(2), child("a", 0), start("a", "root"), child("b", 1)],
    ...[start("b", "root"), claim("a", "root", "pay"), claim("b", "root", "mail")],
    ...[
      claim("a", "root", "tell"),
      end("b"),
      close(1, "ok"),
      end("a"),
      close(0, "ok"),
      end("root"),
    ],
  ]);
  expect(tree).toEqual([
    "root ok",
    "  items 2, 2 ok, 0 failed, 0 withdrawn, ok",
    "  a ok",
    "    pay running",
    "    tell running",
    "  b ok",
    "    mail running",
  ]);
});

test("the items of a wide fan-out have one row together, with all that they call", () => {
  const width = ITEMS_SHOWN_MAX + 1;
  const items = Array.from({ length: width }, (_, index): Said[] => [
    ...[child(`item-${index}`, index), start(`item-${index}`, "root")],
    ...[child("inner", 0, `item-${index}`), start(`inner-${index}`, `item-${index}`)],
    claim(`inner-${index}`, `item-${index}`, "pay"),
    close(index, index === 0 ? "error" : index === 1 ? "withdrawn" : "ok"),
  ]);
  expect(draw([start("root"), fix(width), ...items.flat(), start("next", "root")])).toEqual([
    "root running",
    "  items 13, 11 ok, 1 failed, 1 withdrawn, failed",
    "  next running",
  ]);
  expect(draw([start("root"), fix(width - 1), ...items.slice(1).flat()])).toHaveLength(38);
});

test("a fan-out is open until its last item is closed, and one over nothing is over", () => {
  expect(draw([start("root"), fix(2), close(0, "ok")])[1]).toBe(
    "  items 2, 1 ok, 0 failed, 0 withdrawn, running",
  );
  expect(draw([start("root"), fix(0)])[1]).toBe("  items 0, 0 ok, 0 failed, 0 withdrawn, ok");
  expect(draw([start("root"), close(0, "ok")])).toEqual(["root running"]);
});

test("tries and skips are noted", () => {
  expect(
    draw([
      start("root"),
      {
        ...{ type: "step.retried", call: "root" },
        content: { path: "/flow/nodes/0", attempt: 2, delayMs: 10, code: "TIMEOUT" },
      },
      {
        ...{ type: "step.skipped", call: "root" },
        content: { path: "/flow/nodes/1", because: "failed", code: "TOOL_FAILED" },
      },
    ]),
  ).toEqual([
    "root running",
    "  warn /flow/nodes/0 is tried again (2): TIMEOUT",
    "  info /flow/nodes/1 is skipped: failed, TOOL_FAILED",
  ]);
});
