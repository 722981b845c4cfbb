import { createLocalHost, HostError } from "@turnseal/host";
import { memoryStores, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test, vi } from "vitest";
import { DRIVEN_RUNS_MAX, driveRuns } from "./drive-runs.ts";

const settle = () => new Promise((resume) => setTimeout(resume, 5));
const waiting = { dues: { kind: "wait" } } as never;

test("a run is driven by one at a time, and again when it was told something", async () => {
  let [running, most, drives] = [0, 0, 0];
  const { lookAt, close } = driveRuns({
    drive: async () => {
      running += 1;
      drives += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      return waiting;
    },
  });
  lookAt("one");
  await Promise.resolve();
  for (let index = 0; index < 5; index++) lookAt("one");
  await settle();
  for (let index = 0; index < 5; index++) lookAt("one");
  await settle();
  await settle();
  await close();
  expect(most).toBe(1);
  expect(drives).toBeGreaterThanOrEqual(2);
  expect(drives).toBeLessThanOrEqual(4);
});

test("DRIVEN_RUNS_MAX are driven at once, and one more waits its turn", async () => {
  const ends: (() => void)[] = [];
  const { lookAt, close } = driveRuns({
    drive: () => new Promise((resolve) => ends.push(() => resolve(waiting))),
  });
  for (let index = 0; index <= DRIVEN_RUNS_MAX; index++) lookAt(`run ${index}`);
  await settle();
  expect(ends).toHaveLength(DRIVEN_RUNS_MAX);
  ends[0]?.();
  await settle();
  expect(ends).toHaveLength(DRIVEN_RUNS_MAX + 1);
  for (const end of ends) end();
  await close();
});

test("a run that waits for a time is looked at then", async () => {
  let drives = 0;
  const { lookAt, close } = driveRuns({
    drive: async () => {
      drives += 1;
      return {
        ...(drives === 1 ? { lookAtMs: Date.now() + 20 } : {}),
        dues: { kind: drives === 1 ? "wait" : "done" },
      } as never;
    },
  });
  lookAt("one");
  await settle();
  expect(drives).toBe(1);
  while (drives < 2) await settle();
  await close();
});

test("what failed is tried again by itself, unless that cannot help", async () => {
  const drives = new Map<string, number>();
  const { lookAt, close } = driveRuns({
    drive: async (run) => {
      drives.set(run, (drives.get(run) ?? 0) + 1);
      if (run === "hopeless") throw new HostError("RUN_STALE", "an older log was put back");
      if (drives.get(run) === 1) throw new Error("the store is away");
      return waiting;
    },
  });
  lookAt("passing");
  lookAt("hopeless");
  while ((drives.get("passing") ?? 0) < 2) await settle();
  expect(drives.get("hopeless")).toBe(1);
  await close();
});

test("what fails is said, and the run is driven again when it is told something", async () => {
  const failures: string[] = [];
  let drives = 0;
  const { lookAt, close } = driveRuns({
    drive: async () => {
      drives += 1;
      if (drives === 1) throw new Error("the store is away");
      return waiting;
    },
    onFailure: (run) => failures.push(run),
  });
  lookAt("one");
  await settle();
  lookAt("one");
  await settle();
  expect([failures, drives]).toEqual([["one"], 2]);
  await close();
  lookAt("one");
  await settle();
  expect(drives).toBe(2);
});

/** A host that drives real runs, and one that has none of their loops. */
function openHosts() {
  const stores = memoryStores(systemClock);
  const any = jsonSchema<object>(true);
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", input: any, output: any, effect: "read" },
    run: () => ({}),
  });
  const yearly = { awaits: ["tick"], schedules: [{ name: "tick", cron: "0 0 1 1 *" }] };
  const hand = defineTool({
    ...{ id: "hand", version: "1.0.0", implementation: "turnseal.handoff" },
    config: { loop: "look", grant: { tools: ["local.look"] }, bounds: yearly },
    ...{ input: any, output: any },
    run: () => ({}),
  });
  const signer = { keyId: "key", issuer: "ci", sign: async () => new Uint8Array(64) } as const;
  const grant = { grantor: "ada", tools: ["local.look"], handoffs: ["look"], budget: {} };
  const open = (loops: readonly Loop<never, unknown>[]) =>
    createLocalHost({ loops, stores, signer });
  return { stores, look, hand, yearly, grant, host: open([look, hand]), lacking: open([]) };
}

test("runs that wait for a far time leave their places to others", async () => {
  const { host, look, yearly, grant } = openHosts();
  let drives = 0;
  const { lookAt, close } = driveRuns({
    drive: async (run) => {
      drives += 1;
      return run === "first" ? host.driveNow(await first) : waiting;
    },
  });
  const first = host.start(look, {}, { grant, bounds: yearly });
  lookAt("first");
  while ((await host.show(await first))?.turns !== 1) await settle();
  for (let index = 0; index < DRIVEN_RUNS_MAX; index++) lookAt(`run ${index}`);
  while (drives < DRIVEN_RUNS_MAX + 1) await settle();
  expect((await host.driveNow(await first)).lookAtMs).toBeGreaterThan(Date.now());
  await close();
});

test("a run is cancelled while one that it started waits for a far time", async () => {
  const { host, hand, grant } = openHosts();
  const { lookAt, close } = driveRuns({ drive: host.driveNow });
  const run = await host.start(hand, {}, { grant });
  lookAt(run);
  let child: string | undefined;
  while (child === undefined || (await host.show(child))?.awaited?.isWaiting !== true) {
    await settle();
    child = (await host.show(run))?.openTurn?.open[0]?.handoff?.child;
  }
  await host.cancel(run, { key: "stop", by: "ada" });
  lookAt(run);
  while ((await host.show(run))?.stopped === null) await settle();
  expect(await host.show(run)).toMatchObject({ stopped: "cancelled" });
  await close();
});

test("a blocked run is looked at again, after a pause", async () => {
  const { host, lacking, look, grant } = openHosts();
  const run = await host.start(look, {}, { grant });
  const { dues, lookAtMs = 0 } = await lacking.driveNow(run);
  expect(dues.kind).toBe("blocked");
  expect(lookAtMs - Date.now()).toBeGreaterThan(4_000);
  let drives = 0;
  const { lookAt, close } = driveRuns({
    drive: async () => {
      drives += 1;
      return { dues, lookAtMs: Date.now() + 10 } as never;
    },
  });
  lookAt(run);
  while (drives < 3) await settle();
  await close();
});

test("whoever started a run that has ended is driven on", async () => {
  const driven: string[] = [];
  const { lookAt, close } = driveRuns({
    drive: async (run) => {
      driven.push(run);
      const parent = { run: "parent" };
      const ended = { dues: { kind: "done" }, projection: { spec: { parent } } };
      return (run === "child" ? ended : waiting) as never;
    },
  });
  lookAt("child");
  while (driven.length < 2) await settle();
  expect(driven).toEqual(["child", "parent"]);
  await close();
});

test("a cancel that somebody puts into the store is found before the time comes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    const driven: string[] = [];
    let isCancelled = false;
    const { lookAt } = driveRuns({
      drive: async (run) => {
        driven.push(run);
        isCancelled = false;
        return { dues: { kind: "wake" }, lookAtMs: Date.now() + 365 * 86_400_000 } as never;
      },
      isTold: async () => isCancelled,
    });
    lookAt("one");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(driven).toEqual(["one"]);
    isCancelled = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(driven).toEqual(["one", "one"]);
  } finally {
    vi.useRealTimers();
  }
});

test("what another process tells a run that waits for a person is found", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    const driven: string[] = [];
    const asked: string[] = [];
    const told = new Set<string>();
    const { lookAt, close } = driveRuns({
      drive: async (run) => {
        driven.push(run);
        told.delete(run);
        return (run === "ended" ? { dues: { kind: "done" } } : waiting) as never;
      },
      isTold: async (run) => {
        asked.push(run);
        return told.has(run);
      },
    });
    lookAt("one");
    lookAt("ended");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(driven).toEqual(["one", "ended"]);
    expect(new Set(asked)).toEqual(new Set(["one"]));
    told.add("one");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(driven).toEqual(["one", "ended", "one"]);
    const before = asked.length;
    const closing = close();
    await vi.advanceTimersByTimeAsync(60_000);
    await closing;
    expect(asked).toHaveLength(before);
  } finally {
    vi.useRealTimers();
  }
});
