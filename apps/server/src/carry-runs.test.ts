import { HostError } from "@turnseal/host";
import { expect, test } from "vitest";
import { CARRIED_RUNS_MAX, carryRuns } from "./carry-runs.ts";

const settle = () => new Promise((resume) => setTimeout(resume, 5));
const waiting = { dues: { kind: "wait" } } as never;

test("a run is carried by one at a time, and again when it was told something", async () => {
  let [running, most, drives] = [0, 0, 0];
  const { carry, close } = carryRuns({
    drive: async () => {
      running += 1;
      drives += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      return waiting;
    },
  });
  carry("one");
  await Promise.resolve();
  for (let index = 0; index < 5; index++) carry("one");
  await settle();
  for (let index = 0; index < 5; index++) carry("one");
  await settle();
  await settle();
  await close();
  expect(most).toBe(1);
  expect(drives).toBeGreaterThanOrEqual(2);
  expect(drives).toBeLessThanOrEqual(4);
});

test("CARRIED_RUNS_MAX are carried at once, and one more waits its turn", async () => {
  const ends: (() => void)[] = [];
  const { carry, close } = carryRuns({
    drive: () => new Promise((resolve) => ends.push(() => resolve(waiting))),
  });
  for (let index = 0; index <= CARRIED_RUNS_MAX; index++) carry(`run ${index}`);
  await settle();
  expect(ends).toHaveLength(CARRIED_RUNS_MAX);
  ends[0]?.();
  await settle();
  expect(ends).toHaveLength(CARRIED_RUNS_MAX + 1);
  for (const end of ends) end();
  await close();
});

test("a run that waits for a time is looked at then", async () => {
  let drives = 0;
  const { carry, close } = carryRuns({
    drive: async () => {
      drives += 1;
      return {
        dues: drives === 1 ? { kind: "wait", atMs: Date.now() + 20 } : { kind: "done" },
      } as never;
    },
  });
  carry("one");
  await settle();
  expect(drives).toBe(1);
  while (drives < 2) await settle();
  await close();
});

test("what failed is tried again by itself, unless that cannot help", async () => {
  const drives = new Map<string, number>();
  const { carry, close } = carryRuns({
    drive: async (run) => {
      drives.set(run, (drives.get(run) ?? 0) + 1);
      if (run === "hopeless") throw new HostError("RUN_STALE", "an older log was put back");
      if (drives.get(run) === 1) throw new Error("the store is away");
      return waiting;
    },
  });
  carry("passing");
  carry("hopeless");
  while ((drives.get("passing") ?? 0) < 2) await settle();
  expect(drives.get("hopeless")).toBe(1);
  await close();
});

test("what fails is said, and the run is carried again when it is told something", async () => {
  const failures: string[] = [];
  let drives = 0;
  const { carry, close } = carryRuns({
    drive: async () => {
      drives += 1;
      if (drives === 1) throw new Error("the store is away");
      return waiting;
    },
    onFailure: (run) => failures.push(run),
  });
  carry("one");
  await settle();
  carry("one");
  await settle();
  expect([failures, drives]).toEqual([["one"], 2]);
  await close();
  carry("one");
  await settle();
  expect(drives).toBe(2);
});
