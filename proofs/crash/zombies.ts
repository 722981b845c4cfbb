/**
 * Workers that are frozen between a payment's claim and its act, and wake when another has taken
 * over.
 *
 * 1. A worker that wakes past its deadline does not act. A worker that wakes before it may act,
 *    under the same key.
 * 2. Either way it appends nothing: its epoch is over.
 * 3. Two workers that advance the same run at once, and messages that come again late, change
 *    nothing.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LOG_WAIT_MS_MAX } from "@turnseal/kernel";
import type { Effect } from "@turnseal/protocol";
import { EFFECTS } from "@turnseal/protocol";
import type { Say } from "../../tools/command/progress.ts";
import { driveRun, openLane, UNDISTURBED } from "./drive-run.ts";
import { judgeRun } from "./judge-run.ts";
import { orderName, PAY_TIMEOUT_MS } from "./payment-loops.ts";
import { type PaymentRun, type Stage, sendStart, startPaymentRun, TURNS } from "./stage.ts";
import { type Advance, type CrashWorker, startWorker } from "./start-worker.ts";
import { addRun, createTally, type Tally } from "./tally.ts";

const TRIALS = 3;
const AWAKE_MS = 200;
const FREEZE_MS_MAX = 20_000;
const NO_PLAN = { kind: "none" } as const;

type Scenario = (stage: Stage, tally: Tally, effect: Effect) => Promise<void>;

/** Freezes and doubles workers, for each declaration. */
export async function freezeRuns(stage: Stage, say: Say): Promise<Tally[]> {
  const tallies: Tally[] = [];
  const scenarios: Readonly<Record<string, Scenario>> = {
    "wakes late": wakeLate,
    "wakes early": wakeEarly,
    "two at once": advanceTwice,
  };
  for (const [name, scenario] of Object.entries(scenarios)) {
    for (const effect of EFFECTS) {
      const startedMs = performance.now();
      const tally = createTally(`${effect}, ${name}`);
      for (let trial = 0; trial < TRIALS; trial++) {
        say(`${tally.name}: trial ${trial + 1} of ${TRIALS}`);
        await scenario(stage, tally, effect);
      }
      tally.seconds = (performance.now() - startedMs) / 1_000;
      tallies.push(tally);
    }
  }
  return tallies;
}

/** The successor is done before the worker wakes, and the worker's deadline has passed. */
const wakeLate: Scenario = async (stage, tally, effect) => {
  const zombie = await freezeWorker(stage, effect);
  const { payment } = zombie;
  await sleep(PAY_TIMEOUT_MS + LOG_WAIT_MS_MAX);
  await finishRun(stage, tally, payment);
  const before = await describeFacts(stage, payment);
  await wakeWorker(zombie, tally);
  await repeatMessages(stage, payment, tally);
  if ((await describeFacts(stage, payment)) !== before) blame(tally, "twice", payment);
};

/** The successor takes over while the worker still may act. */
const wakeEarly: Scenario = async (stage, tally, effect) => {
  const successor = await startWorker(stage);
  const zombie = await freezeWorker(stage, effect);
  const { run } = zombie.payment;
  await successor.advance({ run, effect, aheadMs: 0, plan: NO_PLAN });
  successor.signal("SIGKILL");
  await wakeWorker(zombie, tally);
  await finishRun(stage, tally, zombie.payment);
};

/** Two workers get the same run at the same time. */
const advanceTwice: Scenario = async (stage, tally, effect) => {
  const workers = await Promise.all([startWorker(stage), startWorker(stage)]);
  const payment = await startPaymentRun(stage, { effect, manners: "late" });
  const job = { run: payment.run, effect, aheadMs: 0, plan: NO_PLAN };
  await Promise.all(workers.map((worker) => worker.advance(job)));
  for (const worker of workers) worker.signal("SIGKILL");
  await finishRun(stage, tally, payment);
};

interface Zombie {
  readonly worker: CrashWorker;
  readonly payment: PaymentRun;
  /** Its report when it is awake again. */
  readonly report: Promise<Advance>;
}

async function freezeWorker(stage: Stage, effect: Effect): Promise<Zombie> {
  const worker = await startWorker(stage);
  const payment = await startPaymentRun(stage, { effect, manners: "prompt" });
  const job = { run: payment.run, effect, aheadMs: 0, plan: { kind: "freeze" } as const };
  const report = worker.advance(job);
  const untilMs = performance.now() + FREEZE_MS_MAX;
  while (!isFrozen(worker)) {
    if (performance.now() > untilMs) throw new Error("the worker did not freeze");
    await sleep(2);
  }
  return { worker, payment, report };
}

function isFrozen({ pid }: CrashWorker): boolean {
  // The state is the first letter after the name, which stands in parentheses.
  return / T /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").slice(0, 3));
}

/** Wakes the worker and waits for its report, which must be that it lost the run. */
async function wakeWorker({ worker, report, payment }: Zombie, tally: Tally): Promise<void> {
  worker.signal("SIGCONT");
  tally.kills += 1;
  if ((await report).kind !== "fenced") blame(tally, "hanging", payment);
  // Actions that it has begun by then get through.
  await sleep(AWAKE_MS);
  worker.signal("SIGKILL");
}

async function finishRun(stage: Stage, tally: Tally, payment: PaymentRun): Promise<void> {
  const lane = openLane(stage);
  const driven = await driveRun(stage, lane, payment, () => UNDISTURBED);
  lane.close();
  addRun(tally, driven, await judgeRun(stage, payment), payment.label);
}

/** Sends the start again, and has a worker look at the run once more. */
async function repeatMessages(stage: Stage, payment: PaymentRun, tally: Tally): Promise<void> {
  const { label, effect, run } = payment;
  if ((await sendStart(stage, label)) !== run) blame(tally, "repeated", payment);
  const worker = await startWorker(stage);
  await worker.advance({ run, effect, aheadMs: 0, plan: NO_PLAN });
  worker.signal("SIGKILL");
}

/** Everything that a late worker could have changed. */
async function describeFacts({ stores, world }: Stage, payment: PaymentRun): Promise<string> {
  const head = await stores.log.readHead(payment.run);
  const orders = Array.from({ length: TURNS }, (_, order) => {
    const name = orderName({ ...payment, order });
    return [world.ledger.attemptsOf(name), ...world.ledger.questionsOf(name)];
  });
  return JSON.stringify([head?.sequence, head?.hash, orders]);
}

function blame(tally: Tally, field: "twice" | "repeated" | "hanging", payment: PaymentRun): void {
  tally[field] += 1;
  console.error(payment.label, field);
}
