import type { MemoryRows } from "../memory-rows.ts";
import { OUTBOX_READ_MAX, type Outbox } from "./outbox.ts";

export function memoryOutbox(
  runs: ReadonlyMap<string, Pick<MemoryRows, "receipts" | "unacknowledged">>,
): Outbox {
  return {
    list: async (observer, after = { run: "", turn: 0 }) =>
      [...runs.values()]
        .flatMap(({ receipts, unacknowledged }) =>
          [...receipts.values()].filter(({ turn }) => unacknowledged.get(turn)?.has(observer)),
        )
        .filter(({ run, turn }) => run > after.run || (run === after.run && turn > after.turn))
        .sort((a, b) => (a.run === b.run ? a.turn - b.turn : a.run < b.run ? -1 : 1))
        .slice(0, OUTBOX_READ_MAX)
        .map(({ run, turn, id }) => ({ run, turn, id })),
    acknowledge: async (observer, { run, turn }) => {
      runs.get(run)?.unacknowledged.get(turn)?.delete(observer);
    },
  };
}
