// An engine that goes away while a worker executes a payment, and asks another worker at once.
import {
  type MemoryLeases,
  memoryRunLeases,
  memoryStores,
  type RunLeases,
  seededIds,
  systemClock,
} from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { createLocalHost } from "../local/local-host.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { stepRun } from "./step-run.ts";

const any = jsonSchema<object>(true);

/** Two workers on one store, and a payment that ends on release. */
async function openWorkers(leasesOf: (pid: number) => RunLeases | undefined) {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const paid: string[] = [];
  const shared = memoryStores(systemClock);
  const open = (pid: number) => {
    const pay = defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once", build: "1" },
      policy: { timeoutMs: 60_000 },
      run: async () => {
        paid.push(`worker ${pid}`);
        begun.resolve();
        await released.promise;
        return { paid: true };
      },
    });
    const leases = leasesOf(pid);
    const { leases: _, ...without } = shared;
    const stores = leases === undefined ? without : { ...without, leases };
    return { loops: [pay], pay, stores, signer, clock: systemClock, ids: seededIds(`${pid}`) };
  };
  const [one, two] = [open(1), open(2)];
  const host = createLocalHost(one);
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const run = await host.start(one.pay, {}, { grant });
  const step = (parts: typeof one, attempt: AbortSignal) =>
    stepRun(run, bindHost(parts), { attempt, keepsResults: true });
  return { run, host, one, two, step, begun: begun.promise, release: released.resolve, paid };
}

const NEVER = new AbortController().signal;

test("the worker keeps the run until its payment is recorded; then another goes on", async () => {
  const rows: MemoryLeases = new Map();
  const leasesOf = (pid: number) =>
    memoryRunLeases(rows, { pid, machine: "here", isAlive: () => true });
  const { run, host, one, two, step, begun, release, paid } = await openWorkers(leasesOf);
  const engine = new AbortController();
  const first = step(one, engine.signal);
  await begun;
  engine.abort();
  await expect.poll(() => rows.size).toBe(1);
  // The engine is back, and asks another worker: it looks again, and takes nothing away.
  const early = await step(two, NEVER);
  expect(early).toMatchObject({ sequence: 0, continues: false, wakeAtMs: expect.any(Number) });
  expect((await host.show(run))?.openTurn?.open).toMatchObject([{ isUnknown: false }]);
  release();
  await first;
  expect(rows.size).toBe(0);
  await step(two, NEVER);
  expect(await host.show(run)).toMatchObject({ stopped: "goal-reached" });
  expect(paid).toEqual(["worker 1"]);
});

test("a worker that died is taken over from, and a person is asked", async () => {
  const rows: MemoryLeases = new Map();
  let isAlive = true;
  const leasesOf = (pid: number) =>
    memoryRunLeases(rows, { pid, machine: "here", isAlive: () => pid === 2 || isAlive });
  const { run, host, one, two, step, begun, paid } = await openWorkers(leasesOf);
  const engine = new AbortController();
  void step(one, engine.signal);
  await begun;
  engine.abort();
  await expect.poll(() => rows.size).toBe(1);
  isAlive = false;
  await step(two, NEVER);
  expect((await host.show(run))?.stopped).toBeNull();
  expect((await two.stores.log.readHead(run))?.epoch).toBe(2);
  expect(paid).toEqual(["worker 1"]);
});

test("without leases another worker takes the run at once, as before", async () => {
  const { run, host, one, two, step, begun, release, paid } = await openWorkers(() => undefined);
  const engine = new AbortController();
  const first = step(one, engine.signal);
  await begun;
  engine.abort();
  await first;
  await step(two, NEVER);
  release();
  expect((await host.show(run))?.stopped).toBeNull();
  expect(paid).toEqual(["worker 1"]);
});
