import type { ShownFile } from "@turnseal/host";
import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { CARD_FILES_MAX, CARD_LINES_MAX, renderReconciliation } from "./render-reconciliation.ts";

const digest = `hmac-sha256:${"0".repeat(64)}` as const;
const state = { digest, bytes: 1 };
const plan = { way: "graph-wins", root: "site", at: 1, managed: digest, files: [] } as const;
const shown = (path: string, lines: number): ShownFile => ({
  drift: { kind: "modified", path, before: state, after: state },
  becomes: "graph",
  recorded: new Uint8Array(),
  seen: new TextEncoder().encode("line\n".repeat(lines)),
});
const render = (files: readonly ShownFile[], more = 0, options = {}): string[] =>
  renderReconciliation({ kind: "planned", plan, blobs: [], shown: files, more }, options).map(
    (line) => formatLine(line, { isColoured: false }),
  );

test("a card has CARD_LINES_MAX lines of a file, and says how many more there are", () => {
  const at = render([shown("a", CARD_LINES_MAX)]);
  expect(at.filter((line) => line.includes("+ line"))).toHaveLength(CARD_LINES_MAX);
  expect(at.at(-1)).not.toContain("more");
  const past = render([shown("a", CARD_LINES_MAX + 1)]);
  expect(past.filter((line) => line.includes("+ line"))).toHaveLength(CARD_LINES_MAX);
  expect(past.at(-2)).toContain("1 line more");
  expect(past.at(-1)).toContain("--whole shows them all");
});

test("a card names every file, and has lines of CARD_FILES_MAX of them, or of all", () => {
  const files = Array.from({ length: CARD_FILES_MAX + 1 }, (_, at) => shown(`f${at}`, 1));
  const lines = render(files, 7);
  expect(lines.filter((line) => line.includes("is put back"))).toHaveLength(CARD_FILES_MAX + 1);
  expect(lines.filter((line) => line.includes("+ line"))).toHaveLength(CARD_FILES_MAX);
  expect(lines[0]).toContain("and 7 more after these");
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^ +1 line$/),
    expect.stringContaining("--whole shows them all"),
  ]);
  const whole = render(files, 0, { isWhole: true });
  expect(whole.filter((line) => line.includes("+ line"))).toHaveLength(CARD_FILES_MAX + 1);
});

test("a merge shows what is written, and a file without a line end says so", () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const lines = render([
    {
      ...{ drift: { kind: "modified", path: "a", before: state, after: state }, becomes: "merged" },
      ...{ recorded: bytesOf("one\ntwo\n"), seen: bytesOf("eins\n2") },
      merged: bytesOf("eins\ntwo\n"),
    },
  ]).map((line) => line.trim());
  expect(lines.slice(2)).toEqual([
    ...["− one", "− two", "+ eins", "+ 2  (without a line end)"],
    ...["what is written:", "− 2  (without a line end)", "+ two"],
  ]);
});

test("a merge whose result is there already says that nothing is written", () => {
  const seen = new TextEncoder().encode("two\n");
  const lines = render([{ ...shown("a", 1), becomes: "merged", seen, merged: seen }]);
  expect(lines.at(-1)).toContain("nothing is written: it is what is there");
});
