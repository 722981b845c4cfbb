/** One case: something valid is broken and put through a public entry. */
import { type CaseReport, createDraft, type Draft } from "./case-report.ts";
import { breakAdvance } from "./entries/break-advance.ts";
import { breakCommands } from "./entries/break-commands.ts";
import { breakEvents } from "./entries/break-events.ts";
import { breakFlows } from "./entries/break-flows.ts";
import { breakLoops } from "./entries/break-loops.ts";
import { breakReceipts } from "./entries/break-receipts.ts";
import { breakRequests } from "./entries/break-requests.ts";
import { breakWorkflows } from "./entries/break-workflows.ts";
import { createRandom, type Random } from "./random.ts";

export type EntryName = keyof typeof entries;

/** Every way in, and how many of a hundred cases go through it. */
const entries = {
  loops: { share: 50, run: breakLoops },
  flows: { share: 6, run: breakFlows },
  workflows: { share: 4, run: breakWorkflows },
  events: { share: 8, run: breakEvents },
  receipts: { share: 8, run: breakReceipts },
  protocol: { share: 8, run: breakRequests },
  commands: { share: 8, run: breakCommands },
  advance: { share: 8, run: breakAdvance },
} as const satisfies Record<
  string,
  { share: number; run: (random: Random, draft: Draft) => Promise<void> }
>;

export const entryNames = Object.keys(entries) as EntryName[];

const places: readonly EntryName[] = entryNames.flatMap((name) =>
  Array.from({ length: entries[name].share }, () => name),
);

/** Runs the case of this seed and number; the same two always give the same case. */
export async function runCase(seed: number, index: number, entry?: EntryName): Promise<CaseReport> {
  const random = createRandom(`${seed}/${index}`);
  const chosen = random.pick(places);
  const draft = createDraft(entry ?? chosen);
  try {
    await withinTime(entries[entry ?? chosen].run(random, draft));
  } catch (error) {
    // Refusals and failed calls are values: a thrown error fails the case.
    draft.problems.push(`thrown: ${error instanceof Error ? error.stack : String(error)}`);
  }
  return draft;
}

/** The longest that a case may keep everybody waiting. */
export const HANG_MS_MAX = 20_000;

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("it hangs")), HANG_MS_MAX);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
