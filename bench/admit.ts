/**
 * The cost of admission: a turn of one tool call under a grant of 100 terms and a policy of 50
 * rules. It is compared with the same turn under neither, and with a floor written by hand.
 *
 * The floor of a governed turn writes the same number of event bytes in canonical form, hashes and
 * chains them and signs the same receipt. The floor also writes the bytes that the grant adds to
 * the log, so the difference is the cost of deciding.
 */
import { memoryStores, type Signer, systemClock } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createAdmissionHost, RULES, startAdmissionRun, TERMS } from "./sample-admission.ts";
import { createSigner } from "./sample-turn.ts";
import { runFloor } from "./turn-floor.ts";

export interface AdmitSize {
  /** Turns of one run. */
  readonly turns: number;
  readonly rounds: number;
}

const SIZE: AdmitSize = { turns: 1_000, rounds: 9 };
const RATIO_GOAL = 2.5;

type Contender = (turns: number) => Promise<unknown>;

export const benchAdmit: Benchmark = () => measureAdmission(SIZE);

/** Measures turns with and without, each against its own floor. */
export async function measureAdmission({ turns, rounds }: AdmitSize): Promise<readonly Figure[]> {
  const signer = createSigner();
  const contenders: Readonly<Record<string, Contender>> = {
    bare: createSubject(signer, false),
    governed: createSubject(signer, true),
    bareFloor: createFloor(await recordTurn(signer, false), signer),
    governedFloor: createFloor(await recordTurn(signer, true), signer),
  };
  const names = Object.keys(contenders);
  const measured: Record<string, number>[] = [];
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round++) {
    // A later contender may find the caches warm: the order changes with every round.
    const order = round % 2 === 0 ? names : [...names].reverse();
    const costs: Record<string, number> = {};
    for (const name of order) costs[name] = await measure(contenders[name], turns);
    if (round > 0) measured.push(costs);
  }
  const column = (read: (costs: Record<string, number>) => number): number =>
    median(measured.map(read));
  const of = (name: string): number => column((costs) => costs[name] ?? Number.NaN);
  const ratio = (one: string, other: string): number =>
    column((costs) => (costs[one] ?? Number.NaN) / (costs[other] ?? Number.NaN));
  return [
    {
      name: "without terms and rules",
      columns: {
        ...{ "floor us": of("bareFloor"), "turn us": of("bare") },
        ratio: ratio("bare", "bareFloor"),
      },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
    {
      name: `${TERMS} terms and ${RULES} rules`,
      columns: {
        ...{ "floor us": of("governedFloor"), "turn us": of("governed") },
        ratio: ratio("governed", "governedFloor"),
      },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
    {
      name: "with against without",
      columns: {
        ...{ "more us": column(({ governed = 0, bare = 0 }) => governed - bare) },
        ...{ "more than its floor us": column(costOfDeciding) },
        ratio: ratio("governed", "bare"),
      },
    },
  ];
}

/** The rest of the difference, without the bytes that the grant adds to the log. */
function costOfDeciding(costs: Record<string, number>): number {
  const { governed = 0, bare = 0, governedFloor = 0, bareFloor = 0 } = costs;
  return governed - bare - (governedFloor - bareFloor);
}

function createSubject(signer: Signer, isGoverned: boolean): Contender {
  return async (turns) => {
    const host = createAdmissionHost(memoryStores(systemClock), signer);
    const run = await startAdmissionRun(host, turns, { isGoverned });
    const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
    if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
  };
}

function createFloor(sample: readonly LoopEvent[], signer: Signer): Contender {
  return (turns) => runFloor(sample, signer, turns);
}

/** The events of the second turn of a run, with the decision that follows it. */
async function recordTurn(signer: Signer, isGoverned: boolean): Promise<readonly LoopEvent[]> {
  const host = createAdmissionHost(memoryStores(systemClock), signer);
  const run = await startAdmissionRun(host, 3, { isGoverned });
  await host.drive(run);
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  const from = events.findIndex(({ turn }) => turn === 2);
  const until = events.findIndex(({ turn }) => turn === 3);
  const sample = events.slice(from, until);
  if (!sample.some(({ type }) => type === "action.settled"))
    throw new Error("the tool was not admitted");
  return sample;
}

/** Microseconds of one turn, of the time that the processor gave to this thread. */
async function measure(contender: Contender | undefined, turns: number): Promise<number> {
  const before = process.threadCpuUsage();
  await contender?.(turns);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / turns;
}
