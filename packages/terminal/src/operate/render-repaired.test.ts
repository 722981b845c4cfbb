import { expect, test } from "vitest";
import { formatLine, type Line } from "../screen/line.ts";
import { renderProgress } from "../screen/render-progress.ts";
import { renderFailed, renderRepaired } from "./render-repaired.ts";

const text = (line: Line) => formatLine(line, { isColoured: false });
const nothing = {
  ...{ overdue: 0, told: 0, blocked: 0, restored: 0, scheduled: 0, resting: 0, failed: [] },
};

test("what was looked at is counted, also nothing", () => {
  expect(text(renderRepaired(nothing, { isRestore: false }))).toBe(
    "✓ checked 0 runs: 0 overdue, 0 with unread messages",
  );
  expect(renderFailed(nothing)).toEqual([]);
});

test("what the engine did not take is named, with what to do", () => {
  const repaired = { ...nothing, overdue: 1, restored: 2, failed: ["a", "b"] };
  expect(text(renderRepaired(repaired, { isRestore: true }))).toBe(
    "✗ checked 3 runs: 1 overdue, 0 with unread messages, 2 that changed since then",
  );
  expect(renderFailed(repaired).map(text)).toEqual([
    "  the engine did not accept a",
    "  the engine did not accept b",
    "  next: check the engine at --host, then turnseal repair again",
  ]);
});

test("what needs no look is counted, progress names its place, and a long list is cut", () => {
  const repaired = { ...nothing, restored: 9, scheduled: 5, resting: 3 };
  expect(text(renderRepaired(repaired, { isRestore: true }))).toBe(
    "✓ checked 9 runs: 0 overdue, 0 with unread messages, 9 that changed since then, " +
      "5 of them continue at a set time, 3 of them wait for a person or a signal",
  );
  expect(text(renderProgress(12_000, undefined))).toBe("checked 12000 runs");
  expect(text(renderProgress(1, "b"))).toBe("checked 1 run, up to b (--after b continues there)");
  const failed = Array.from({ length: 25 }, (_, at) => `run-${at}`);
  expect(renderFailed({ failed }).map(text).slice(-2)).toEqual([
    "  and 5 more: --json lists them all",
    "  next: check the engine at --host, then turnseal repair again",
  ]);
});

test("blocked runs are counted where they were looked at", () => {
  const repaired = { ...nothing, overdue: 1, blocked: 30 };
  expect(text(renderRepaired(repaired, { isRestore: false }))).toBe(
    "✓ checked 31 runs: 1 overdue, 0 with unread messages, 30 blocked",
  );
});
