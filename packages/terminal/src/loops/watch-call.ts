/**
 * Shows a call while it runs.
 *
 * On a terminal the tree is drawn in place and redrawn as it changes; what does not fit the window
 * is left out until the end, when the whole tree is written once. Elsewhere a line is written when
 * a call begins and whenever something ends.
 */

import type { EventSink } from "@turnseal/ports";
import { applyToTree, EMPTY_TREE, type Row } from "@turnseal/views";
import { formatLine } from "../screen/line.ts";
import type { Screen } from "../screen/screen.ts";
import { type RowMoment, renderRow } from "./render-row.ts";

export interface CallWatch {
  readonly sink: EventSink;
  /** Leaves the finished tree on the screen. No frame follows. */
  finish(): void;
}

const FRAME_MS = 100;
const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const BEGIN_MARK = "▸";
/** Of what had not ended when the tree was left on the screen. */
const OPEN_MARK = "○";
/** Beyond this a line is hard to follow to its end. */
const COLUMNS_MAX = 80;

/** Watches a call on a screen. */
export function watchCall(screen: Screen): CallWatch {
  return screen.isLive ? drawTree(screen) : writeLines(screen);
}

function writeLines(screen: Screen): CallWatch {
  let tree = EMPTY_TREE;
  return {
    sink: (event) => {
      tree = applyToTree(tree, event);
      const row = tree.changed;
      if (row === undefined || isOnTheWay(row)) return;
      screen.writeLine(renderRow(row, { runningMark: BEGIN_MARK }));
    },
    finish: () => {},
  };
}

/** Of an act only its end is written, and of items only that they begin and that all have ended. */
function isOnTheWay(row: Row): boolean {
  if (row.kind === "items")
    return row.state === "running" && row.ok + row.failed + row.withdrawn > 0;
  return row.kind === "action" && row.state === "running";
}

function drawTree(screen: Screen): CallWatch {
  let tree = EMPTY_TREE;
  let frame = 0;
  // The last row of the window holds the cursor. Lines that scroll out of the window cannot be
  // erased any more.
  const drawFrame = (): void => {
    const runningMark = spinner[frame % spinner.length] ?? BEGIN_MARK;
    const shown = tree.rows.slice(-Math.max(screen.rows - 1, 1));
    screen.draw(renderRows(shown, screen, { nowMs: Date.now(), runningMark }));
  };
  const timer = setInterval(() => {
    frame++;
    drawFrame();
  }, FRAME_MS);
  timer.unref();
  return {
    sink: (event) => {
      tree = applyToTree(tree, event);
      if (tree.changed !== undefined) drawFrame();
    },
    finish: () => {
      clearInterval(timer);
      screen.draw(renderRows(tree.rows, screen, { runningMark: OPEN_MARK }));
      screen.keepDrawn();
    },
  };
}

function renderRows(rows: readonly Row[], screen: Screen, moment: RowMoment): string[] {
  const columns = Math.min(screen.columns - 1, COLUMNS_MAX);
  const { isColoured } = screen;
  return rows.map((row) => formatLine(renderRow(row, moment), { isColoured, columns }));
}
