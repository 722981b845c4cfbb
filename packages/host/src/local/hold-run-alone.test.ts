/** Callers that drive one run at once: one acts, and all of them get the same outcome. */
import {
  type MemoryLeases,
  manualClock,
  memoryRunLeases,
  memoryStores,
  type RunLeases,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { CARRIED_LOOK_MS } from "./hold-run-alone.ts";
import { createLocalHost, type LocalHost } from "./local-host.ts";

const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };

interface Till {
  paid: number;
  readonly pay: ReturnType<typeof defineTool<object, object>>;
  readonly release: () => void;
  /** Settles when a payment has begun. */
  readonly begun: Promise<void>;
}

function openTill(): Till {
  let release = (): void => {};
  let begin = (): void => {};
  const released = new Promise<void>((resume) => {
    release = resume;
  });
  const begun = new Promise<void>((resume) => {
    begin = resume;
  });
  const till: Till = {
    ...{ paid: 0, begun, release: () => release() },
    pay: defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once" },
      run: async () => {
        till.paid += 1;
        begin();
        await released;
        return { paid: true };
      },
    }),
  };
  return till;
}

function hostOf(till: Till, stores: Stores, clock = systemClock): LocalHost {
  return createLocalHost({ loops: [till.pay], stores, signer, clock });
}

test("a second resume of a run joins the first, and no action is taken away from it", async () => {
  const till = openTill();
  const host = hostOf(till, memoryStores(systemClock));
  const run = await host.start(till.pay, {}, { grant });
  const first = host.resume(till.pay, run);
  await till.begun;
  const second = host.resume(till.pay, run);
  till.release();
  const outcome = { run, status: "completed", requests: [], output: { paid: true } };
  expect(await Promise.all([first, second])).toEqual([outcome, outcome]);
  expect(till.paid).toBe(1);
});

test("three starts at once with one key are one run, with one outcome", async () => {
  const till = openTill();
  const host = hostOf(till, memoryStores(systemClock));
  const start = { grant, key: "order-17" };
  const all = Promise.all([1, 2, 3].map(() => host.run(till.pay, {}, start)));
  await till.begun;
  till.release();
  const outcomes = await all;
  expect(new Set(outcomes.map(({ status, run }) => `${status} ${run}`)).size).toBe(1);
  expect(outcomes[0]?.status).toBe("completed");
  expect(till.paid).toBe(1);
});

/** Two processes, the first of which can end silently. */
function openPair(clock = systemClock) {
  const rows: MemoryLeases = new Map();
  let isAlive = true;
  const stores = memoryStores(clock);
  const open = (pid: number, alive: () => boolean): Stores & { readonly leases: RunLeases } => ({
    ...stores,
    leases: memoryRunLeases(rows, { pid, machine: "here", isAlive: alive }),
  });
  const kill = (): void => {
    isAlive = false;
  };
  return { one: open(1, () => isAlive), two: open(2, () => true), kill };
}

test("another process waits for the one that drives the run, and gets its outcome", async () => {
  const till = openTill();
  const { one, two } = openPair();
  const run = await hostOf(till, one).start(till.pay, {}, { grant });
  const first = hostOf(till, one).resume(till.pay, run);
  await till.begun;
  const second = hostOf(till, two).resume(till.pay, run);
  till.release();
  expect(await second).toEqual(await first);
  expect((await second).status).toBe("completed");
  expect(till.paid).toBe(1);
});

test("a process that has waited as long as it may is told who drives the run", async () => {
  const clock = manualClock();
  const till = openTill();
  const { one, two } = openPair(clock);
  const host = hostOf(till, one, clock);
  const run = await host.start(till.pay, {}, { grant });
  const first = host.resume(till.pay, run);
  await till.begun;
  const waitMs = CARRIED_LOOK_MS * 4;
  let told: unknown;
  const second = hostOf(till, two, clock)
    .resume(till.pay, run, { waitMs })
    .then((outcome) => {
      told = outcome;
    });
  for (let ms = 0; ms < waitMs; ms += CARRIED_LOOK_MS) {
    await new Promise((resume) => setTimeout(resume, 5));
    expect(told).toBeUndefined();
    clock.advance(CARRIED_LOOK_MS);
  }
  await second;
  expect(told).toMatchObject({ run, status: "carried", by: { pid: 1, machine: "here" } });
  till.release();
  expect((await first).status).toBe("completed");
});

test("driveNow waits for nobody, and says when to look again", async () => {
  const till = openTill();
  const { one, two } = openPair();
  const run = await hostOf(till, one).start(till.pay, {}, { grant });
  const first = hostOf(till, one).resume(till.pay, run);
  await till.begun;
  const { dues, lookAtMs } = await hostOf(till, two).driveNow(run);
  expect(dues).toMatchObject({ kind: "blocked", why: "carried", what: "process 1 on here" });
  expect(lookAtMs).toBeGreaterThan(0);
  till.release();
  await first;
});

test("a run whose process has died is taken over as after a crash", async () => {
  const clock = manualClock();
  const [left, till] = [openTill(), openTill()];
  const { one, two, kill } = openPair(clock);
  const host = hostOf(left, one, clock);
  const run = await host.start(left.pay, {}, { grant });
  void host.resume(left.pay, run).catch(() => {});
  await left.begun;
  const second = hostOf(till, two, clock);
  const waiting = second.resume(till.pay, run);
  await new Promise((resume) => setTimeout(resume, 10));
  expect((await second.show(run))?.openTurn?.open).toMatchObject([{ isUnknown: false }]);
  kill();
  await pass(clock, 200);
  expect((await waiting).status).toBe("waiting");
  // It may have paid: only a person can say so.
  expect((await second.show(run))?.openTurn?.open).toMatchObject([{ isUnknown: true }]);
  expect(till.paid).toBe(0);
});

test("a caller that was taken over by force gets the outcome of whoever did", async () => {
  const clock = manualClock();
  const till = openTill();
  const { one, two } = openPair(clock);
  const host = hostOf(till, one, clock);
  const run = await host.start(till.pay, {}, { grant });
  const first = host.resume(till.pay, run);
  await till.begun;
  const taken = await two.leases.take(run, { force: true });
  const { resume } = hostOf(till, { ...two, leases: memoryRunLeases() }, clock);
  const second = resume(till.pay, run);
  await pass(clock, 5);
  till.release();
  await pass(clock, 200);
  expect((await second).status).toBe("waiting");
  if (taken.kind === "taken") await taken.lease.release();
  await pass(clock, 5);
  expect((await first).status).toBe("waiting");
  expect(till.paid).toBe(1);
});

async function pass(clock: ReturnType<typeof manualClock>, looks: number): Promise<void> {
  for (let look = 0; look < looks; look++) {
    clock.advance(CARRIED_LOOK_MS);
    await new Promise((resume) => setTimeout(resume));
  }
}
