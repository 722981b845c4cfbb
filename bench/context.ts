/**
 * What a round costs in a thread of 10,000 entries against one of 100, for each strategy. By
 * default no entry is left out, so that every request shows all entries.
 */
import { type Round, runRounds, type Scene } from "./context-rounds.ts";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";

export interface ContextSize {
  /** Entries at the end; each round adds two. */
  readonly entries: number;
  /** Rounds that are compared at either end. */
  readonly span: number;
}

const SIZE: ContextSize = { entries: 10_000, span: 200 };
const EARLY_ENTRIES = 100;
const WARM_UP_ENTRIES = 2_000;
const GROWTH_GOAL = 1.2;

/** So many tokens that nothing is left out. */
const ENDLESS = 10_000_000;

export const SCENES: readonly Scene[] = [
  { name: "flat", context: { strategy: "flat" }, room: ENDLESS },
  { name: "flat, the last 100", context: { strategy: "flat", last: 100 }, room: ENDLESS },
  { name: "flat, notes", context: { strategy: "flat" }, room: ENDLESS, notes: "facts" },
  { name: "summary", context: { strategy: "summary" }, room: 4_000 },
  { name: "task-list", context: { strategy: "task-list" }, room: ENDLESS, notes: "tasks" },
  { name: "task-tree", context: { strategy: "task-tree" }, room: ENDLESS, notes: "tasks" },
  { name: "none", context: { strategy: "none" }, room: ENDLESS },
];

export const benchContext: Benchmark = () => measureContext(SIZE);

export async function measureContext(size: ContextSize): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const scene of SCENES) figures.push(...(await measureScene(scene, size)));
  return figures;
}

async function measureScene(scene: Scene, size: ContextSize): Promise<readonly Figure[]> {
  const { entries, span } = size;
  await runRounds(scene, Math.min(entries, WARM_UP_ENTRIES) / 2);
  const rounds = await runRounds(scene, entries / 2);
  const early = rounds.slice(EARLY_ENTRIES / 2, EARLY_ENTRIES / 2 + span);
  const late = rounds.slice(-span);
  const name = `${scene.name}, ${entries.toLocaleString("en")} entries against ${EARLY_ENTRIES}`;
  // The time of one, since others stand out; of what is stored all, also what is seldom.
  const us = (side: readonly Round[]) => median(side.map((round) => round.us));
  return [
    compare(`a round, ${name}`, "us", us(early), us(late)),
    compare(`bytes stored of a round, ${name}`, "bytes", meanBytes(early), meanBytes(late)),
  ];
}

function meanBytes(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { bytes }) => sum + bytes, 0) / rounds.length;
}

function compare(name: string, unit: string, early: number, late: number): Figure {
  return {
    name,
    columns: { [`early ${unit}`]: early, [`late ${unit}`]: late, ratio: late / early },
    goal: { column: "ratio", atMost: GROWTH_GOAL },
  };
}
