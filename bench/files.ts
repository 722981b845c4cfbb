/**
 * What a turn costs whose run manages files.
 *
 * 1. A turn that manages a hundred files and changes none, as a ratio to one that manages none.
 * 2. A turn that changes ten of 10,000, as a ratio to one that changes ten of a hundred.
 *
 * The files are in a real folder, and the tool is the same: its input says how many to write. The
 * sizes take turns, and the median of the ratios of the rounds is reported.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import { createLocalHost } from "@turnseal/host";
import { memoryStores, randomIds, type Signer, systemClock } from "@turnseal/ports";
import { defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSigner } from "./sample-turn.ts";

const TURNS = 60;
const ROUNDS = 5;
const RATIO_GOAL = 1.3;
/** As many as one execution may write. */
const FILES_AT_ONCE = 1_000;
const CHANGED = 10;

interface Size {
  readonly managed: number;
  readonly changed: number;
}
const none: Size = { managed: 0, changed: 0 };
const still: Size = { managed: 100, changed: 0 };
const few: Size = { managed: 100, changed: CHANGED };
const many: Size = { managed: 10_000, changed: CHANGED };

export const benchFiles: Benchmark = async (_, say) => {
  const signer = createSigner();
  const sizes = [none, still, few, many];
  const costs = new Map<Size, number[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    say(round === 0 ? "warming up" : `round ${round} of ${ROUNDS}`);
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
      const cost = await measureTurns(signer, size);
      if (round > 0) costs.get(size)?.push(cost);
    }
  }
  const compare = (name: string, size: Size, beside: Size): Figure => {
    const [ones, others] = [costs.get(size) ?? [], costs.get(beside) ?? []];
    const ratio = median(ones.map((cost, at) => cost / (others[at] ?? Number.NaN)));
    return { name, columns: { "turn us": median(ones), "beside us": median(others), ratio } };
  };
  const goal = { column: "ratio", atMost: RATIO_GOAL };
  return [
    { ...compare("100 managed, against none", still, none), goal },
    compare("10 of 100 changed, against none managed", few, none),
    { ...compare("10 of 10,000 changed, against 10 of 100", many, few), goal },
  ];
};

/** Time of the processor for one turn, in microseconds, once all files are there. */
async function measureTurns(signer: Signer, { managed, changed }: Size): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-files-"));
  try {
    mkdirSync(join(folder, "site"));
    const fills = Math.ceil(managed / FILES_AT_ONCE);
    let turn = 0;
    let from = process.cpuUsage();
    const write = defineWriter((at) => {
      turn = at;
      if (at === fills) from = process.cpuUsage();
      if (at < fills) return [at * FILES_AT_ONCE, Math.min(managed, (at + 1) * FILES_AT_ONCE)];
      return [0, changed];
    });
    const host = createLocalHost({
      ...{ loops: [write], stores: memoryStores(systemClock), signer },
      ...{ clock: systemClock, ids: randomIds, roots: folderRoots({ site: join(folder, "site") }) },
    });
    const run = await host.start(
      write,
      {},
      {
        grant: { grantor: "bench", tools: ["local.write"], budget: {} },
        bounds: { turnsMax: fills + TURNS + 1, goal: { path: "$.output.written", equals: -1 } },
      },
    );
    const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
    const { user, system } = process.cpuUsage(from);
    if (dues.kind !== "done" || turn !== fills + TURNS) throw new Error(`the run is ${dues.kind}`);
    return (user + system) / (TURNS + 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the files from one number up to another, with other bytes each time. */
function defineWriter(next: (at: number) => readonly [from: number, to: number]) {
  let at = 0;
  return defineTool({
    ...{ id: "write", version: "1.0.0", effect: "idempotent", build: "1" },
    ...{ input: z.object({}), output: z.object({ written: z.number() }) },
    artifacts: { root: "site" },
    run: async (_, { artifacts }) => {
      const turn = at++;
      const [from, to] = next(turn);
      for (let file = from; file < to; file++) {
        const bytes = new TextEncoder().encode(`${file} at ${turn}\n`);
        const change = await artifacts.write(`part-${file % 100}/file-${file}.txt`, bytes);
        if (change.kind !== "done") throw new Error(`file ${file} is ${change.kind}`);
      }
      return { written: to - from };
    },
  });
}
