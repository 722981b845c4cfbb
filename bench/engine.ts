/**
 * Turns a second through `advance`, each with one model round, one tool and a receipt. They are
 * compared with a handler written by hand that makes as many commits of as many bytes and sends
 * itself once. The same engine, workers and number of connections serve both, one after the other;
 * every commit is on disk.
 *
 * As it ships, a message takes turns until its slice is over. A turn with a message of its own is
 * measured too: it takes an epoch, and reads the state of its run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalHost, SLICE_MS_DEFAULT } from "@turnseal/host";
import { wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { recordCommits } from "./engine-commits.ts";
import { collect, type EngineWorld, openEngineWorld } from "./engine-world.ts";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";

/** Runs that move at the same time. */
const SIZES = [1, 16, 64, 256] as const;
/** Where the goal is. */
const GOAL_SIZE = 64;
const RATIO_GOAL = 0.7;
const ROUNDS = 3;
const WORKERS = 2;
const CONNECTIONS = 20;
/** Model and tool: one commit before each, one after the last. */
const ACTIONS = 2;
/** One run alone is slower, and needs fewer turns to show how fast it is. */
const ALONE = 1 / 8;

export const engineSizes = {
  turns: wholeNumber({
    takes: "turns",
    says: "turns in each round",
    default: 1_500,
    atLeast: 1,
  }),
};

export const benchEngine: Benchmark<ValuesOf<typeof engineSizes>> = async ({ turns }, say) => [
  ...(await measureSlice({ name: "", sliceMs: SLICE_MS_DEFAULT, turns, say })),
  ...(await measureSlice({ name: ", a message each", sliceMs: 0, turns, say })),
];

interface Slice {
  readonly name: string;
  readonly sliceMs: number;
  readonly turns: number;
  readonly say: Say;
}

async function measureSlice({ name, sliceMs, turns, say }: Slice): Promise<Figure[]> {
  const bytes = await recordCommits(sliceMs);
  const world = await openEngineWorld({
    program: new URL("engine-worker.ts", import.meta.url),
    workers: WORKERS,
    settings: { connectionsMax: CONNECTIONS, sliceMs },
    invoker: ["http2-streams-per-connection-limit = 8"],
  });
  try {
    await world.serveFloor();
    const host = createSampleHost(world.stores, createSigner(), { put: world.ingress.put });
    const whole = bytes.reduce((sum, size) => sum + size, 0);
    const contenders: Contenders = {
      subject: (runs, each) => moveRuns(host, runs, each),
      floor: (runs, steps) => moveFloor(world, runs, { steps, bytes }),
      one: (runs, steps) => moveFloor(world, runs, { steps, bytes: [whole] }),
    };
    const warmUp = { runs: 16, turns: 300 };
    for (const contender of [contenders.subject, contenders.floor])
      await measure(world, contender, warmUp);
    const figures: Figure[] = [];
    for (const runs of SIZES) {
      const isGoal = runs === GOAL_SIZE && sliceMs > 0;
      const size = { runs, turns: runs === 1 ? Math.ceil(turns * ALONE) : turns };
      const onRound = (round: number): void =>
        say(`${runs} runs${name}: round ${round} of ${ROUNDS}`);
      figures.push({
        name: `${runs} runs${name}`,
        columns: await compare(world, contenders, { ...size, onRound }),
        ...(isGoal ? { goal: { column: "ratio", atLeast: RATIO_GOAL } } : {}),
      });
    }
    return [...figures, await countCommits(world, contenders.subject, { name, whole })];
  } finally {
    await world.close();
  }
}

/** Sets so many runs going, each for so many turns. */
type Contender = (runs: number, turns: number) => Promise<unknown>;

interface Size {
  readonly runs: number;
  readonly turns: number;
}

interface Contenders {
  readonly subject: Contender;
  readonly floor: Contender;
  /** All of the bytes in one commit. */
  readonly one: Contender;
}

async function compare(
  world: EngineWorld,
  { subject, floor, one }: Contenders,
  { onRound, ...size }: Size & { readonly onRound: (round: number) => void },
): Promise<Figure["columns"]> {
  const rounds: { readonly turns: number; readonly floor: number; readonly one: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    onRound(round);
    rounds.push({
      turns: (await measure(world, subject, size)).perSecond,
      floor: (await measure(world, floor, size)).perSecond,
      one: (await measure(world, one, size)).perSecond,
    });
  }
  const column = (name: "turns" | "floor" | "one") => median(rounds.map((round) => round[name]));
  return {
    "turns/s": column("turns"),
    "floor/s": column("floor"),
    ratio: median(rounds.map((round) => round.turns / round.floor)),
    "one commit/s": column("one"),
    "ratio to one": median(rounds.map((round) => round.turns / round.one)),
  };
}

interface Measured {
  readonly perSecond: number;
  readonly commits: number;
  readonly turns: number;
}

/** The rate of the middle four fifths: neither how they start nor how they end. */
async function measure(
  world: EngineWorld,
  contender: Contender,
  { runs, turns }: Size,
): Promise<Measured> {
  await collect(world);
  const each = Math.max(4, Math.ceil(turns / runs));
  const wanted = each * runs;
  await contender(runs, each);
  const times: number[] = [];
  let commits = 0;
  for (let idle = 0; times.length < wanted && idle < 600; idle++) {
    await sleep(100);
    const collected = await collect(world);
    if (collected.done.length > 0) idle = 0;
    times.push(...collected.done.map(({ atMs }) => atMs));
    commits += collected.commits;
  }
  if (times.length < wanted) throw new Error(`only ${times.length} of ${wanted} were done`);
  times.sort((left, right) => left - right);
  const [from, until] = [Math.floor(wanted * 0.1), Math.floor(wanted * 0.9)];
  const tookMs = (times[until] ?? 0) - (times[from] ?? 0);
  return { perSecond: ((until - from) / tookMs) * 1_000, commits, turns: times.length };
}

async function moveRuns(host: LocalHost, runs: number, turns: number): Promise<void> {
  await Promise.all(Array.from({ length: runs }, () => startSampleRun(host, turns)));
}

let started = 0;

async function moveFloor(
  world: EngineWorld,
  runs: number,
  work: { readonly steps: number; readonly bytes: readonly number[] },
): Promise<void> {
  const { ingress } = world.engine();
  const send = async (): Promise<void> => {
    started += 1;
    const response = await fetch(`${ingress}/Floor/k${started}/step/send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(work),
    });
    if (!response.ok) throw new Error(`the engine answered ${response.status}`);
  };
  await Promise.all(Array.from({ length: runs }, send));
}

/** Of one long run, so that what it starts and ends with hardly counts. */
async function countCommits(
  world: EngineWorld,
  subject: Contender,
  { name, whole }: { readonly name: string; readonly whole: number },
): Promise<Figure> {
  const { commits, turns } = await measure(world, subject, { runs: 1, turns: 400 });
  const columns = { commits: Math.round((commits / turns) * 10) / 10, bytes: whole };
  // With a message of its own a turn also takes an epoch.
  const goal = { column: "commits", atMost: name === "" ? ACTIONS + 1 : ACTIONS + 2 };
  return { name: `commits of a turn${name}`, columns, goal };
}
