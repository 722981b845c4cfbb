import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { type MemoryLeases, memoryRunLeases } from "./memory-run-leases.ts";
import type { RunLeases } from "./run-leases.ts";
import { type RunLeasesSubject, runLeasesContract } from "./run-leases-contract.ts";

type Change = (leases: RunLeases) => Partial<RunLeases>;

function create(change: Change = () => ({}), isMortal = true): RunLeasesSubject {
  const rows: MemoryLeases = new Map();
  let isAlive = true;
  const open = (pid: number, alive: () => boolean): RunLeases => {
    const leases = memoryRunLeases(rows, { pid, machine: "here", isAlive: alive });
    return { ...leases, ...change(leases) };
  };
  return {
    leases: open(1, () => isAlive || !isMortal),
    other: open(2, () => true),
    kill: () => {
      isAlive = false;
    },
  };
}

for (const { name, run } of runLeasesContract({ create: () => create() })) test(name, run);

const releasing = (
  release: (leases: RunLeases, run: string, own: () => Promise<void>) => unknown,
) =>
  create((leases) => ({
    take: async (run, options) => {
      const answer = await leases.take(run, options);
      if (answer.kind === "held") return answer;
      const { lease } = answer;
      return {
        kind: "taken",
        lease: { release: async () => void (await release(leases, run, lease.release)) },
      };
    },
  }));

/** Frees any lease. */
const freeing = () =>
  releasing(async (leases, run) => {
    const taken = await leases.take(run, { force: true });
    if (taken.kind === "taken") await taken.lease.release();
  });

const broken: Readonly<Record<string, () => RunLeasesSubject>> = {
  "of many that want a lease at once exactly one takes it": () =>
    create((leases) => ({ take: (run) => leases.take(run, { force: true }) })),
  "a held lease names its holder": () =>
    create((leases) => ({
      read: async (run) => {
        const holder = await leases.read(run);
        return holder && { ...holder, pid: 9 };
      },
    })),
  "a lease that is released is free": () => releasing(() => undefined),
  "a lease that is released twice frees no other": freeing,
  "the lease of a process that has died is taken by one of many": () => create(undefined, false),
  "a lease that is taken by force is no longer its holder's": freeing,
  "the lease of one run is not that of another": () =>
    create((leases) => ({ take: () => leases.take("one"), read: () => leases.read("one") })),
};

test("every sentence finds leases that do not keep it", async () => {
  expect(await findMissed(runLeasesContract, broken)).toEqual([]);
});
