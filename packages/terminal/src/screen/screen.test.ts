import { expect, test } from "vitest";
import { line, toned } from "./line.ts";
import { createScreen } from "./screen.ts";

function write(
  isTTY: boolean,
  environment: Record<string, string>,
): { text: string; live: boolean } {
  let text = "";
  const append = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  const stream = { isTTY, write: append };
  const screen = createScreen(stream, environment);
  screen.writeLine(line(toned("good", "fine")));
  return { text, live: screen.isLive };
}

test("a terminal gets colours", () => {
  expect(write(true, {})).toEqual({ text: "\u001b[32mfine\u001b[39m\n", live: true });
});

test.each([
  ["a pipe", false, {}],
  ["a pipe that is told to have colours", false, { FORCE_COLOR: "1" }],
  ["a dumb terminal", true, { TERM: "dumb" }],
])("%s gets plain lines and is not redrawn", (_, isTTY, environment) => {
  expect(write(isTTY, environment as Record<string, string>)).toEqual({
    text: "fine\n",
    live: false,
  });
});

test("NO_COLOR takes the colours, and an empty one does not", () => {
  expect(write(true, { NO_COLOR: "1" })).toEqual({ text: "fine\n", live: true });
  expect(write(true, { NO_COLOR: "" }).text).toContain("\u001b[32m");
});

test("the size follows the window, and has a default", () => {
  const stream = { isTTY: true, write: () => true, columns: 100, rows: 0 };
  const screen = createScreen(stream, {});
  expect([screen.columns, screen.rows]).toEqual([100, 24]);
  stream.columns = 60;
  expect(screen.columns).toBe(60);
});

/** The terminal after these texts: only the codes that the screen uses are known. */
function show(written: string): string[] {
  const rows = [""];
  let [row, column] = [0, 0];
  for (const [piece] of written.matchAll(/\u001b\[(?:\d+A|J)|\r|\n|[^\r\n\u001b]+/g)) {
    const before = (rows[row] ?? "").slice(0, column).padEnd(column);
    if (piece === "\r") column = 0;
    else if (piece === "\n") [row, column] = [row + 1, 0];
    else if (piece === "\u001b[J") rows.splice(row, rows.length, before);
    // Going up leaves the cursor in its column.
    else if (piece.startsWith("\u001b")) row -= Number(piece.slice(2, -1));
    else {
      rows[row] = `${before}${piece}${(rows[row] ?? "").slice(column + piece.length)}`;
      column += piece.length;
    }
    rows[row] ??= "";
  }
  return rows;
}

test("what is written while something is drawn stands above it, and leaves no stale line", () => {
  let text = "";
  const write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  const stream = { isTTY: true, write };
  const screen = createScreen(stream, { NO_COLOR: "1" });
  screen.draw(["⠋ refund", "  ⠋ pay"]);
  // The terminal itself echoes the key.
  text += "^C";
  screen.writeLine(line("note: cancelled"));
  screen.draw(["✗ refund", "  ✗ pay"]);
  screen.keepDrawn();
  screen.writeLine(line("stopped"));
  expect(show(text)).toEqual(["note: cancelled", "✗ refund", "  ✗ pay", "stopped", ""]);
});
