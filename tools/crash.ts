/**
 * `npm run crash -- [--random 2000] [--seed 1] [--zombies] [--json]`: kills and freezes workers of
 * payment-like runs and counts, from outside, what that did. Exits with 1 when anything happened
 * twice, was lost, or hangs.
 *
 * Each of the four declarations has its workers killed at every boundary, then at so many random
 * moments. A kill costs the start of a process: two thousand of each declaration take most of an
 * hour on two cores.
 */
import { parseArgs } from "node:util";
import { EFFECTS } from "@turnseal/protocol";
import { openLane } from "./crash/carry-run.ts";
import { killAtBoundaries, killAtRandom } from "./crash/kill-runs.ts";
import { createRandom } from "./crash/random-source.ts";
import { openStage, type Stage } from "./crash/stage.ts";
import { createTally, renderTable, summarize, type Tally } from "./crash/tally.ts";
import { freezeRuns } from "./crash/zombies.ts";

/** Workers at a time. */
const LANES = 3;

const { values } = parseArgs({
  options: {
    random: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    zombies: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const kills = Number(values.random);
const seed = Number(values.seed);
if (!Number.isSafeInteger(kills) || kills < 0 || !Number.isSafeInteger(seed)) {
  console.error(
    "usage: npm run crash -- [--random <kills>] [--seed <number>] [--zombies] [--json]",
  );
  process.exit(64);
}

const stage = await openStage();
const tallies: Tally[] = [];
try {
  if (!values.zombies) tallies.push(...(await killRuns(stage)));
  tallies.push(...(await freezeRuns(stage)));
} finally {
  stage.close();
}
for (const line of renderTable(tallies)) console.log(line);
const summary = summarize(tallies);
if (values.json) console.log(JSON.stringify(summary));
process.exitCode = summary.pass ? 0 : 1;

async function killRuns(at: Stage): Promise<Tally[]> {
  const lanes = Array.from({ length: LANES }, () => openLane(at));
  const killed: Tally[] = [];
  for (const effect of EFFECTS) {
    const startedMs = performance.now();
    const tally = createTally(effect);
    const options = { stage: at, lanes, tally, effect, random: createRandom(seed) };
    await killAtBoundaries(options);
    await killAtRandom(options, kills);
    tally.seconds = (performance.now() - startedMs) / 1_000;
    killed.push(tally);
  }
  for (const lane of lanes) lane.close();
  return killed;
}
