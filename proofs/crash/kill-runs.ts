/**
 * Kills workers of one declaration: at every boundary of a run, and at random moments from outside.
 * Each run exists with a tool that answers, and with a tool that acts and then hangs. The first
 * successor is killed too, somewhere.
 */
import type { Effect } from "@turnseal/protocol";
import type { Say } from "../../tools/command/progress.ts";
import type { RandomSource } from "../kit/random-source.ts";
import { type Disturbance, driveRun, type Lane, UNDISTURBED } from "./drive-run.ts";
import { judgeRun } from "./judge-run.ts";
import { MANNERS, type Manners } from "./outside-world.ts";
import { type Stage, startPaymentRun } from "./stage.ts";
import { addRun, type Tally } from "./tally.ts";

/**
 * A kill from outside comes within this time: about what a run takes, with room on either side of a
 * hanging payment.
 */
const RANDOM_KILL_MS = 700;
/** Workers of one run that are killed from outside, at most. */
const RANDOM_KILLS_MAX = 4;

export interface KillOptions {
  readonly stage: Stage;
  readonly lanes: readonly Lane[];
  readonly tally: Tally;
  readonly effect: Effect;
  readonly random: RandomSource;
  readonly say: Say;
}

/** Every nth boundary, from the one that stands at `from` on. */
export interface Boundaries {
  readonly every: number;
  readonly from: number;
}

/** One run per boundary and manner. */
export async function killAtBoundaries(
  options: KillOptions,
  { every, from }: Boundaries,
): Promise<void> {
  for (const manners of ["prompt", "hangs"] as const) {
    const crossings = await countCrossings(options, manners);
    const all = Array.from({ length: crossings }, (_, index) => index + 1);
    const places = all.filter((_, index) => index % every === from);
    await spread(options.lanes, (lane) => {
      const at = places.shift();
      if (at === undefined) return undefined;
      const second = 1 + options.random.below(crossings);
      options.say(`${options.effect}, ${manners}: boundary ${at} of ${crossings}`);
      return runTrial(options, lane, manners, (job) => {
        if (job > 1) return UNDISTURBED;
        return { plan: { kind: "kill", at: job === 0 ? at : second } };
      });
    });
  }
}

/** Runs until so many workers were killed at random moments. */
export async function killAtRandom(options: KillOptions, kills: number): Promise<void> {
  const { random, tally, effect, say } = options;
  const before = tally.kills;
  await spread(options.lanes, (lane) => {
    const done = tally.kills - before;
    if (done >= kills) return undefined;
    say(`${effect}, at random: ${done} of ${kills} kills`);
    const manners = MANNERS[random.below(MANNERS.length)] ?? "prompt";
    return runTrial(options, lane, manners, (job) =>
      job < RANDOM_KILLS_MAX
        ? { plan: { kind: "none" }, killAfterMs: random.below(RANDOM_KILL_MS) }
        : UNDISTURBED,
    );
  });
}

async function countCrossings(options: KillOptions, manners: Manners): Promise<number> {
  const { stage, lanes, effect } = options;
  const [lane] = lanes;
  if (lane === undefined) return 0;
  const payment = await startPaymentRun(stage, { effect, manners });
  return (await driveRun(stage, lane, payment, () => UNDISTURBED)).crossings;
}

async function runTrial(
  { stage, tally, effect }: KillOptions,
  lane: Lane,
  manners: Manners,
  disturb: (job: number) => Disturbance,
): Promise<void> {
  const payment = await startPaymentRun(stage, { effect, manners });
  const driven = await driveRun(stage, lane, payment, disturb);
  addRun(tally, driven, await judgeRun(stage, payment), payment.label);
}

/** Gives each lane one trial after the other, until there is none. */
async function spread(
  lanes: readonly Lane[],
  next: (lane: Lane) => Promise<void> | undefined,
): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      for (let trial = next(lane); trial !== undefined; trial = next(lane)) await trial;
    }),
  );
}
