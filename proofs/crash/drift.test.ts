/**
 * One kernel begins a turn, and another one, in a process of its own, resumes it. The second has
 * other keys, words or order than the record. It must notice before it acts.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { driftMutants } from "./drift-mutants.ts";
import { driveRun, type Lane, openLane, UNDISTURBED } from "./drive-run.ts";
import { orderName } from "./payment-loops.ts";
import { openStage, type PaymentRun, type Stage, startPaymentRun } from "./stage.ts";

const TIMEOUT_MS = 120_000;

/**
 * Boundaries of the first turn after which each mutant records something else: the claim of the
 * second round, the end of its request, and the signature.
 */
const PLACES = [20, 21, 23] as const;

let stage: Stage;
let lane: Lane;

beforeAll(async () => {
  stage = await openStage();
  lane = openLane(stage);
});
afterAll(() => {
  lane.close();
  stage.close();
});

function countEffects({ label }: PaymentRun): readonly unknown[] {
  const { ledger } = stage.world;
  return [0, 1].map((order) => {
    const name = orderName({ label, order });
    return [ledger.paymentsOf(name), [...ledger.questionsOf(name)]];
  });
}

const TRIES = 5;

/**
 * Leaves a turn open: its worker is killed at the boundary. A payment that took longer than it may,
 * as on a busy machine, stops the run for a person before it is there, and another is tried.
 */
async function leaveTurnOpen(at: number, tries = TRIES): Promise<PaymentRun> {
  const payment = await startPaymentRun(stage, { effect: "once", manners: "prompt" });
  const worker = await lane.worker();
  const { run, effect } = payment;
  const report = await worker.advance({ run, effect, aheadMs: 0, plan: { kind: "kill", at } });
  if (report.kind !== "killed" && tries > 1) return leaveTurnOpen(at, tries - 1);
  expect(report.kind).toBe("killed");
  expect((await stage.host.show(run))?.openTurn?.turn).toBe(1);
  return payment;
}

test.each(driftMutants)(
  "a kernel with $name ends open turns as drifted, and nothing acts",
  async ({ name }) => {
    const loader = new URL("load-drift-mutant.ts", import.meta.url).href;
    const mutated = openLane(stage, ["--import", `${loader}?mutant=${name}`]);
    for (const at of PLACES) {
      const payment = await leaveTurnOpen(at);
      const before = countEffects(payment);
      const driven = await driveRun(stage, mutated, payment, () => UNDISTURBED);
      expect(driven.complaints).toEqual([]);
      expect((await stage.host.show(payment.run))?.stopped).toBe("drifted");
      expect(countEffects(payment)).toEqual(before);
    }
    mutated.close();
  },
  TIMEOUT_MS,
);

test(
  "the kernel as it is resumes the same turns to their goal",
  async () => {
    for (const at of PLACES) {
      const payment = await leaveTurnOpen(at);
      await driveRun(stage, lane, payment, () => UNDISTURBED);
      expect((await stage.host.show(payment.run))?.stopped).toBe("goal-reached");
    }
  },
  TIMEOUT_MS,
);
