import { EFFECTS } from "@turnseal/protocol";
import { flag, wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import { openLane } from "./crash/drive-run.ts";
import { killAtBoundaries, killAtRandom } from "./crash/kill-runs.ts";
import { openStage, type Stage } from "./crash/stage.ts";
import { createTally, renderTable, summarize, type Tally } from "./crash/tally.ts";
import { freezeRuns } from "./crash/zombies.ts";
import { bundleWorker } from "./kit/bundle-worker.ts";
import { prove } from "./kit/prove.ts";
import { createRandom } from "./kit/random-source.ts";

/** Workers at a time. */
const LANES = 3;

await prove(
  {
    name: "proof crash",
    about: [
      "Kills and freezes workers of payment-like runs and counts, from outside, what that did.",
      "Each of the four declarations has its workers killed at every boundary, then at random.",
      "Exits with 1 when anything happened twice, was lost, or hangs.",
    ],
    lasts: "about an hour on two cores: a kill costs the start of a process",
    options: {
      random: wholeNumber({
        takes: "kills",
        says: "kills at random moments, for each declaration",
        default: 2_000,
        atLeast: 0,
      }),
      every: wholeNumber({
        takes: "n",
        says: "kills at every nth boundary only; the seed says at which it begins",
        default: 1,
        atLeast: 1,
      }),
      seed: wholeNumber({
        takes: "number",
        says: "where the random moments come from",
        default: 1,
      }),
      zombies: flag("only freezes and doubles workers, which takes a minute or so"),
    },
  },
  async (kills, say) => {
    const stage = await openStage(await bundleWorker(new URL("crash/worker.ts", import.meta.url)));
    const tallies: Tally[] = [];
    try {
      if (!kills.zombies) tallies.push(...(await killRuns({ ...kills, stage, say })));
      tallies.push(...(await freezeRuns(stage, say)));
    } finally {
      stage.close();
    }
    return { ...summarize(tallies), lines: renderTable(tallies) };
  },
);

interface Kills {
  readonly random: number;
  readonly every: number;
  readonly seed: number;
  readonly stage: Stage;
  readonly say: Say;
}

async function killRuns({ random: randomKills, every, seed, stage, say }: Kills): Promise<Tally[]> {
  const lanes = Array.from({ length: LANES }, () => openLane(stage));
  const killed: Tally[] = [];
  for (const effect of EFFECTS) {
    const startedMs = performance.now();
    const tally = createTally(effect);
    const killing = { stage, lanes, tally, effect, random: createRandom(seed), say };
    await killAtBoundaries(killing, { every, from: seed % every });
    await killAtRandom(killing, randomKills);
    tally.seconds = (performance.now() - startedMs) / 1_000;
    killed.push(tally);
  }
  for (const lane of lanes) lane.close();
  return killed;
}
