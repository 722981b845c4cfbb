import { expect, test } from "vitest";
import { formatLine, type Line } from "../terminal/line.ts";
import { renderFailed, renderRepaired } from "./render-repaired.ts";

const text = (line: Line) => formatLine(line, { isColoured: false });
const nothing = { overdue: 0, told: 0, restored: 0, failed: [] };

test("what was looked at is counted, also nothing", () => {
  expect(text(renderRepaired(nothing, { isRestore: false }))).toBe(
    "✓ checked 0 runs: 0 overdue, 0 with unread messages",
  );
  expect(renderFailed(nothing)).toEqual([]);
});

test("what the engine did not take is named, with what to do", () => {
  const repaired = { overdue: 1, told: 0, restored: 2, failed: ["a", "b"] };
  expect(text(renderRepaired(repaired, { isRestore: true }))).toBe(
    "✗ checked 3 runs: 1 overdue, 0 with unread messages, 2 that changed since then",
  );
  expect(renderFailed(repaired).map(text)).toEqual([
    "  the engine did not accept a",
    "  the engine did not accept b",
    "  next: check the engine at --host, then turnseal repair again",
  ]);
});
