import type { ShownFile } from "@turnseal/host";
import { expect, test } from "vitest";
import { formatLine } from "../terminal/line.ts";
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
const render = (files: readonly ShownFile[], more = 0): string[] =>
  renderReconciliation({ kind: "planned", plan, blobs: [], shown: files, more }).map((line) =>
    formatLine(line, { isColoured: false }),
  );

test("a card has CARD_LINES_MAX lines of a file, and says how many more there are", () => {
  const at = render([shown("a", CARD_LINES_MAX)]);
  expect(at.filter((line) => line.includes("+ line"))).toHaveLength(CARD_LINES_MAX);
  expect(at.at(-1)).not.toContain("more");
  const past = render([shown("a", CARD_LINES_MAX + 1)]);
  expect(past.filter((line) => line.includes("+ line"))).toHaveLength(CARD_LINES_MAX);
  expect(past.at(-1)).toContain("1 line more");
});

test("a card names every file, and has lines of CARD_FILES_MAX of them", () => {
  const files = Array.from({ length: CARD_FILES_MAX + 1 }, (_, at) => shown(`f${at}`, 1));
  const lines = render(files, 7);
  expect(lines.filter((line) => line.includes("is put back"))).toHaveLength(CARD_FILES_MAX + 1);
  expect(lines.filter((line) => line.includes("+ line"))).toHaveLength(CARD_FILES_MAX);
  expect(lines[0]).toContain("and 7 more after these");
});
