/**
 * One seed: a drawn flow, executed twice with the same tools, models and people. Once nothing goes
 * wrong; once workers crash, freeze and take each other's runs, clocks jump, and people say the
 * wrong thing. With budget to spare both come to the same.
 */
import { setImmediate } from "node:timers/promises";
import { canonicalize } from "@turnseal/protocol";
import { verifyReceipt } from "@turnseal/protocol/receipts";
import { pickMove } from "../simulate/move.ts";
import type { SeedCounts } from "../simulate/summary.ts";
import { checkEnd } from "./check-end.ts";
import { describeRun, type RunEnd } from "./describe-run.ts";
import { listMoves } from "./moves.ts";
import { createWorld, type FlowWorld } from "./world.ts";

export type Figure = "nodes" | "actions" | "crashes";

export interface FlowSeedResult extends SeedCounts<Figure> {
  /** The hash of every run's last event: two simulations of one seed agree on it. */
  readonly head: string;
}

/** The most steps that a flow may take once the world is kind. */
const KIND_STEPS_MAX = 20_000;
/** What times out in a flow that is not hasty does so within minutes, or not before this. */
const COMPARED_MS_MAX = 80_000_000;

export async function runFlowSeed(seed: number): Promise<FlowSeedResult> {
  const calm = await createWorld(seed, { isCalm: true });
  const rough = await createWorld(seed, { isCalm: false });
  const broken = (await execute(calm, "undisturbed: ")) ?? (await execute(rough, ""));
  const fault = broken ?? (await compare(calm, rough));
  const { tally, places, scenario, crashes, step } = rough;
  const logs = places.all().map(({ watch }) => watch.events());
  const actions = logs.flat().filter(({ type }) => type === "action.claimed").length;
  for (const [what, count] of calm.tally.read())
    if (what.startsWith("flow ")) for (let seen = 0; seen < count; seen++) tally.count(what);
  return {
    ...{ seed, fault, steps: step + calm.step, counts: tally.read() },
    figures: { nodes: scenario.loops.nodes, actions, crashes },
    head: logs.map((events) => events.at(-1)?.hash ?? "").join(" "),
  };
}

/** Executes the flow to its end, and answers with the promise that was broken. */
async function execute(world: FlowWorld, how: string): Promise<string | undefined> {
  try {
    await simulate(world);
    await checkEnd(world);
    return undefined;
  } catch (error) {
    return `${how}${String(world.promises.broken() ?? error)}`;
  }
}

async function simulate(world: FlowWorld): Promise<void> {
  const { promises, places, attempts, random } = world;
  const stepsMax = world.faultSteps + KIND_STEPS_MAX;
  const isOver = (): boolean =>
    places.all().every(places.isOver) &&
    attempts.every((attempt) => ["ended", "crashed"].includes(attempt.state()));
  while (!isOver()) {
    promises.hold(world.step < stepsMax, "a run hangs: neither done, nor waiting, nor moving");
    const moves = await listMoves(world);
    promises.hold(moves.length > 0, "a run waits for nothing that could happen");
    await pickMove(moves, random).make();
    world.step += 1;
    // Lets everything run that can, up to the next gates.
    await setImmediate();
    await verifyReceipts(world);
    places.checkStep();
    const broken = promises.broken();
    if (broken !== undefined) throw broken;
  }
}

async function verifyReceipts({ unverified, promises, keys }: FlowWorld): Promise<void> {
  for (const { receipt } of unverified.splice(0)) {
    const verdict = await verifyReceipt(canonicalize(receipt?.envelope), { keys: keys.list() });
    const [found] = verdict.kind === "invalid" ? verdict.findings : [];
    promises.hold(found === undefined, `a receipt does not verify: ${found?.code}`);
  }
}

/** With budget to spare, and time, what a flow comes to is the same whatever went wrong. */
async function compare(calm: FlowWorld, rough: FlowWorld): Promise<string | undefined> {
  const { scenario, tally, isCancelled } = rough;
  const reason = scenario.isTight
    ? "tight"
    : scenario.isHasty
      ? "hasty"
      : isCancelled
        ? "cancelled"
        : [calm, rough].some(isLate)
          ? "late"
          : undefined;
  tally.count(reason === undefined ? "compared" : `not compared: ${reason}`);
  if (reason !== undefined) return undefined;
  for (const place of calm.places.all()) {
    const other = rough.places.all().find(({ run }) => run === place.run);
    // What a withdrawn item had handed on by then is chance.
    if (other === undefined) continue;
    const [expected, actual] = [await describeRun(calm, place), await describeRun(rough, other)];
    if (expected.nodes !== undefined && actual.nodes !== undefined)
      tally.count("compared node by node");
    const difference = findDifference(expected, actual);
    if (difference !== undefined)
      return `the result differs from that without faults: ${difference}`;
  }
  return undefined;
}

function isLate({ clock, startsMs }: FlowWorld): boolean {
  return clock.now() - startsMs > COMPARED_MS_MAX;
}

function findDifference(expected: RunEnd, actual: RunEnd): string | undefined {
  const lists = [
    [[expected.stopped], [actual.stopped]],
    [expected.turns, actual.turns],
    expected.nodes === undefined || actual.nodes === undefined
      ? [[], []]
      : [expected.nodes, actual.nodes],
  ] as const;
  for (const [wanted, found] of lists) {
    const index = Array.from({ length: Math.max(wanted.length, found.length) }, (_, i) => i).find(
      (i) => wanted[i] !== found[i],
    );
    if (index !== undefined)
      return `${wanted[index] ?? "nothing"} became ${found[index] ?? "nothing"}`;
  }
  return undefined;
}
