/**
 * What a turn costs on the memory store, as a ratio to a floor written by hand in the same run.
 *
 * A turn here is one model round, one tool call and a sealed receipt; model and tool answer at
 * once. The floor writes the same number of event bytes in canonical form, hashes and chains them
 * and signs the same receipt. Runs of three lengths show whether a turn costs more the later it
 * comes. Floor and subject take turns, and the median of the ratios of the rounds is reported. Both
 * never wait, so only the processor time of this thread counts: other work on the machine does not.
 */
import { memoryStores, type Signer, systemClock } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";
import { runFloor } from "./turn-floor.ts";

/** Turns of one run, with how many runs make up a round and how many rounds are measured. */
const SIZES = [
  { turns: 10, runs: 50, rounds: 11 },
  { turns: 1_000, runs: 1, rounds: 7 },
  { turns: 10_000, runs: 1, rounds: 3 },
] as const;
const WARM_UP = { turns: 1_000, runs: 2, rounds: 1 };
const RATIO_GOAL = 2.5;
const GROWTH_GOAL = 1.2;

type Size = { readonly turns: number; readonly runs: number; readonly rounds: number };
type Contender = (turns: number) => Promise<unknown>;
type CreateContender = () => Contender;

/** Measures runs of every length. */
export const benchTurn: Benchmark = async () => {
  const signer = createSigner();
  const sample = await recordTurn(signer);
  const subject = () => createSubject(signer);
  const floor = () => (turns: number) => runFloor(sample, signer, turns);
  await measure(subject, WARM_UP);
  await measure(floor, WARM_UP);
  const figures: Figure[] = [];
  const ratios: number[] = [];
  for (const size of SIZES) {
    const { floorUs, subjectUs, ratio } = await compare(subject, floor, size);
    ratios.push(ratio);
    figures.push({
      name: `${size.turns.toLocaleString("en")} turns`,
      columns: { "floor us": floorUs, "turn us": subjectUs, ratio },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    });
  }
  const [atTen = Number.NaN, , atTenThousand = Number.NaN] = ratios;
  figures.push({
    name: "10,000 turns against 10",
    columns: { ratio: atTenThousand / atTen },
    goal: { column: "ratio", atMost: GROWTH_GOAL },
  });
  return figures;
};

/** A host and its registry outlive many runs, so making them is not part of a turn. */
function createSubject(signer: Signer): Contender {
  const host = createSampleHost(memoryStores(systemClock), signer);
  return async (turns) => {
    const run = await startSampleRun(host, turns);
    const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
    if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
  };
}

/** The events of the second turn of a run, with the decision that follows it. */
async function recordTurn(signer: Signer): Promise<readonly LoopEvent[]> {
  const host = createSampleHost(memoryStores(systemClock), signer);
  const run = await startSampleRun(host, 3);
  await host.drive(run);
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  const from = events.findIndex(({ turn }) => turn === 2);
  const until = events.findIndex(({ turn }) => turn === 3);
  return events.slice(from, until);
}

interface Comparison {
  readonly floorUs: number;
  readonly subjectUs: number;
  readonly ratio: number;
}

async function compare(
  subject: CreateContender,
  floor: CreateContender,
  size: Size,
): Promise<Comparison> {
  const rounds: Comparison[] = [];
  for (let round = 0; round < size.rounds; round++) {
    // The second contender may find the caches warm: the order changes with every round.
    const isFloorFirst = round % 2 === 0;
    const first = await measure(isFloorFirst ? floor : subject, size);
    const second = await measure(isFloorFirst ? subject : floor, size);
    const [floorUs, subjectUs] = isFloorFirst ? [first, second] : [second, first];
    rounds.push({ floorUs, subjectUs, ratio: subjectUs / floorUs });
  }
  return {
    floorUs: median(rounds.map(({ floorUs }) => floorUs)),
    subjectUs: median(rounds.map(({ subjectUs }) => subjectUs)),
    ratio: median(rounds.map(({ ratio }) => ratio)),
  };
}

/** Microseconds of one turn. */
async function measure(create: CreateContender, { turns, runs }: Size): Promise<number> {
  const contender = create();
  const before = process.threadCpuUsage();
  for (let made = 0; made < runs; made++) await contender(turns);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / (turns * runs);
}
