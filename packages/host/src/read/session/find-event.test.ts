import { manualClock, memoryStores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { findBefore, findTurn } from "./find-event.ts";

const TURNS = 1_000;
// Ten events of each turn, and five of none before it.
const events = Array.from({ length: TURNS * 15 }, (_, index) => ({
  ...{ run: "a", sequence: index + 1 },
  ...(index % 15 < 5 ? {} : { turn: Math.floor(index / 15) + 1 }),
})) as unknown as readonly LoopEvent[];

function openLog() {
  let reads = 0;
  const { log } = memoryStores(manualClock());
  const read: typeof log.read = async (_, from, limit = 500) => {
    reads += 1;
    return events.slice(from - 1, from - 1 + limit);
  };
  return { log: { ...log, read }, reads: () => reads };
}

const end = { run: "a", sequence: events.length + 1 };

test("a turn is found in as many looks as halves, wherever it is", async () => {
  for (const turn of [1, 2, 500, TURNS]) {
    const { log, reads } = openLog();
    const from = await findTurn(log, end, turn);
    const first = events.slice(from - 1).find((event) => event.turn !== undefined);
    expect(first?.turn).toBe(turn);
    expect(events[from - 2]?.turn ?? 0).toBeLessThan(turn);
    expect(reads()).toBeLessThan(16);
  }
});

test("a turn that never was is at the end of the log", async () => {
  expect(await findTurn(openLog().log, end, TURNS + 1)).toBe(end.sequence);
});

test("what is looked for from a place back is found without what stands before it", async () => {
  const { log, reads } = openLog();
  expect((await findBefore(log, end, ({ turn }) => turn === TURNS - 1))?.turn).toBe(TURNS - 1);
  expect(reads()).toBe(1);
  expect(await findBefore(log, end, () => false)).toBeUndefined();
});
