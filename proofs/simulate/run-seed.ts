/**
 * One seed: a run and the runs it hands to, the workers that carry them, the people that they ask,
 * and a time with faults.
 *
 * The simulation never waits for real time. Every worker stands at gates; each step opens one,
 * moves the clock, or does harm. After each step the promises of the runtime are checked. When the
 * time of faults is over, every run must come to its end.
 */
import { setImmediate } from "node:timers/promises";
import { canonicalize } from "@turnseal/protocol";
import { verifyReceipt } from "@turnseal/protocol/receipts";
import { checkEnd } from "./check-end.ts";
import { speakLate } from "./late-words.ts";
import { pickMove } from "./move.ts";
import { listMoves } from "./moves.ts";
import type { Place } from "./places.ts";
import type { SeedCounts } from "./summary.ts";
import { createWorld, type World } from "./world.ts";

/** Turns of all runs among them. */
export type Figure = "turns" | "workers" | "crashes";

export interface SeedResult extends SeedCounts<Figure> {
  readonly stop: string;
  /** The root, and the runs that runs handed to. */
  readonly runs: number;
  /** The hash of every run's last event: two simulations of one seed agree on it. */
  readonly head: string;
}

/** The most steps that a run may take once the world is kind. */
export const KIND_STEPS_MAX = 8_000;

/** Simulates one seed from its first step to its last. */
export async function runSeed(seed: number): Promise<SeedResult> {
  const world = await createWorld(seed);
  let thrown: unknown;
  try {
    await simulate(world);
  } catch (error) {
    thrown = error;
  }
  const { places, tally, scenario, crashes, step, promises } = world;
  const { watch, blocked } = places.root;
  const { stopped } = watch.projection();
  const states = places.all().map((place) => place.watch.projection());
  const fault = promises.broken() ?? thrown;
  return {
    seed,
    fault: fault === undefined ? undefined : String(fault),
    steps: step,
    figures: {
      turns: states.reduce((sum, { turns }) => sum + turns, 0),
      workers: scenario.workers,
      crashes,
    },
    stop: stopped ?? blocked ?? "none",
    runs: states.length,
    head: states.map(({ hash }) => hash).join(" "),
    counts: tally.read(),
  };
}

async function simulate(world: World): Promise<void> {
  const { promises, places, scenario } = world;
  const stepsMax = scenario.faultSteps + KIND_STEPS_MAX;
  while (!isOver(world)) {
    promises.hold(world.step < stepsMax, "a run hangs: neither done, nor waiting, nor moving");
    await pickMove(await listMoves(world), world.random).make();
    world.step += 1;
    // Lets everything run that can, up to the next gates.
    await setImmediate();
    await verifyReceipts(world);
    places.checkStep();
    const broken = promises.broken();
    if (broken !== undefined) throw broken;
  }
  await speakLate(world);
  for (const place of places.all()) {
    checkStop(world, place);
    place.watch.checkEnd();
  }
  await checkEnd(world);
}

function isOver({ places, attempts }: World): boolean {
  const isDone = places.all().every(places.isOver);
  return isDone && attempts.every((attempt) => ["ended", "crashed"].includes(attempt.state()));
}

async function verifyReceipts({ unverified, promises, keys, tally }: World): Promise<void> {
  for (const { receipt } of unverified.splice(0)) {
    const verdict = await verifyReceipt(canonicalize(receipt?.envelope), { keys: keys.list() });
    const [found] = verdict.kind === "invalid" ? verdict.findings : [];
    promises.hold(found === undefined, `I4: a receipt does not verify: ${found?.code}`);
    const isFirst = receipt?.envelope.signatures[0]?.keyid === keys.list()[0]?.keyId;
    if (!isFirst) tally.count("fate sealed-with-a-later-key");
  }
}

/** Some ends need a cause. */
function checkStop(
  { hasLostReceipt, promises, isCancelled, said }: World,
  { watch, hasChangedCode }: Place,
): void {
  const { stopped } = watch.projection();
  const isCaused: Readonly<Record<string, boolean>> = {
    drifted: hasChangedCode,
    "receipt-missing": hasLostReceipt,
    cancelled: isCancelled,
    "approval-rejected": said.some(({ choice }) => choice === "reject"),
  };
  promises.hold(isCaused[stopped ?? ""] ?? true, `a run stops as ${stopped} without a cause`);
}
