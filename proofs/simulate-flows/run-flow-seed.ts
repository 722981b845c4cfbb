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
import { compareWorlds } from "./compare-worlds.ts";
import { listMoves } from "./moves.ts";
import { createWorld, type FlowWorld } from "./world.ts";

export type Figure = "nodes" | "actions" | "crashes";

export interface FlowSeedResult extends SeedCounts<Figure> {
  /** The hash of every run's last event: two simulations of one seed agree on it. */
  readonly head: string;
}

/** The most steps that a flow may take once the world is kind. */
const KIND_STEPS_MAX = 20_000;

export async function runFlowSeed(seed: number): Promise<FlowSeedResult> {
  const calm = await createWorld(seed, { isCalm: true });
  const rough = await createWorld(seed, { isCalm: false });
  const broken = (await execute(calm, "undisturbed: ")) ?? (await execute(rough, ""));
  const fault = broken ?? (await compareWorlds(calm, rough));
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
