/** Checks each cell every second: whether it is up, and has the tag of the file. */
import { isPlainObject } from "@turnseal/protocol";
import type { Cell, Cells } from "./cells-file.ts";
import { readUpTo, sendToCell } from "./send-to-cell.ts";

/**
 * `strange`: it is up, and its runs have another tag. Requests sent to it would never be found
 * again.
 */
export type CellState = "up" | "away" | "strange";

export interface CellWatch {
  stateOf(cell: Cell): CellState;
  /** A cell that refuses connections is away until the next check. */
  noteAway(cell: Cell): void;
  close(): void;
}

export interface WatchOptions {
  /** Reports changes, for the operator's log. */
  readonly onChange?: (cell: Cell, state: CellState) => void;
  readonly everyMs?: number;
}

const EVERY_MS = 1_000;
const HEALTH_MS_MAX = 2_000;
const HEALTH_BYTES_MAX = 4_096;

/** Resolves after one check of each cell. */
export async function watchCells(
  { all }: Pick<Cells, "all">,
  { onChange = () => {}, everyMs = EVERY_MS }: WatchOptions = {},
): Promise<CellWatch> {
  const states = new Map<Cell, CellState>();
  const timers = new Map<Cell, NodeJS.Timeout>();
  let isClosed = false;
  const note = (cell: Cell, state: CellState): void => {
    if (states.get(cell) === state) return;
    states.set(cell, state);
    onChange(cell, state);
  };
  const look = async (cell: Cell): Promise<void> => {
    const state = await askHealth(cell);
    if (isClosed) return;
    note(cell, state);
    timers.set(
      cell,
      setTimeout(() => void look(cell), everyMs),
    );
  };
  await Promise.all(all.map(look));
  return {
    stateOf: (cell) => states.get(cell) ?? "away",
    noteAway: (cell) => note(cell, "away"),
    close: () => {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

async function askHealth(cell: Cell): Promise<CellState> {
  const signal = AbortSignal.timeout(HEALTH_MS_MAX);
  try {
    const headers = ["host", cell.url.host];
    const request = { method: "GET", path: "/v1/health", headers };
    const response = await sendToCell(cell, request, { signal });
    const bytes = await readUpTo(response, HEALTH_BYTES_MAX);
    if (response.statusCode !== 200 || bytes === undefined) return "away";
    const answer: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isPlainObject(answer) || answer["status"] !== "ok") return "away";
    return answer["cell"] === cell.tag ? "up" : "strange";
  } catch {
    return "away";
  }
}
