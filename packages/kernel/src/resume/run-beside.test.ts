import { expect, test } from "vitest";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { type Branch, trunk } from "./branch.ts";
import { type BesideOptions, runBeside } from "./run-beside.ts";
import { StoppedError } from "./stopped-error.ts";

const paused: Outcome<string> = { kind: "paused" };

function optionsFor(count: number, given: Partial<BesideOptions> = {}): BesideOptions {
  return {
    fork: { branch: trunk, hasBegun: () => false },
    limit: count,
    hasBegun: () => false,
    stops: Array.from({ length: count }, () => new AbortController().signal),
    ...given,
  };
}

/** Lets everything run that can. */
const settle = () => new Promise<void>((resume) => setImmediate(resume));

test.each([1, 2, 3, 9])("at most %i act at once", async (limit) => {
  let [acting, most] = [0, 0];
  const run = async (index: number) => {
    acting += 1;
    most = Math.max(most, acting);
    await settle();
    acting -= 1;
    return succeed(index);
  };
  expect(await runBeside(run, optionsFor(5, { limit }))).toEqual([0, 1, 2, 3, 4].map(succeed));
  expect(most).toBe(Math.min(limit, 5));
});

test("one that waits leaves its place to the next", async () => {
  const begun: number[] = [];
  const run = async (index: number) => {
    begun.push(index);
    return paused;
  };
  expect(await runBeside(run, optionsFor(3, { limit: 1 }))).toEqual([paused, paused, paused]);
  expect(begun).toEqual([0, 1, 2]);
});

test("in order, nothing begins behind one that waits", async () => {
  const begun: number[] = [];
  const run = async (index: number) => {
    begun.push(index);
    return index === 1 ? paused : succeed("done");
  };
  const outcomes = await runBeside(run, optionsFor(3, { isInOrder: true }));
  expect(begun).toEqual([0, 1]);
  expect(outcomes).toEqual([succeed("done"), paused, { kind: "stopped" }]);
});

test("what is recorded as begun begins first and is held, whatever the limit is", async () => {
  const said: string[] = [];
  let left = 2;
  const run = async (index: number, branch: Branch) => {
    said.push(`${index} begins`);
    if (index > 0) left -= 1;
    await branch.hold();
    said.push(`${index} acts ${left}`);
    return succeed(index);
  };
  const fork = { branch: trunk, hasBegun: () => left > 0 };
  await runBeside(run, optionsFor(3, { fork, limit: 1, hasBegun: (index) => index > 0 }));
  expect(said).toEqual([
    ...["1 begins", "2 begins", "1 acts 0", "2 acts 0"],
    ...["0 begins", "0 acts 0"],
  ]);
});

test("they are behind while they gather, and no more when they are let go", async () => {
  const seen: boolean[] = [];
  const run = async (index: number, branch: Branch) => {
    seen.push(branch.isBehind());
    await branch.hold();
    seen.push(branch.isBehind());
    return succeed(index);
  };
  const fork = { branch: trunk, hasBegun: () => true };
  await runBeside(run, optionsFor(1, { fork, hasBegun: () => true }));
  expect(seen).toEqual([true, false]);
});

test("what they are part of is held when all of them are", async () => {
  const said: string[] = [];
  const branch: Branch = {
    ...trunk,
    hold: async () => {
      said.push("held");
    },
  };
  const run = async (index: number, own: Branch) => {
    await own.hold();
    said.push(`${index} acts`);
    return succeed(index);
  };
  await runBeside(run, optionsFor(2, { fork: { branch, hasBegun: () => false } }));
  expect(said).toEqual(["held", "0 acts", "1 acts"]);
});

test("one that is told to stop ends where it would say something new", async () => {
  const stops = [new AbortController(), new AbortController(), new AbortController()];
  const run = async (index: number, branch: Branch) => {
    if (index === 0) {
      await settle();
      for (const other of stops.slice(1)) other.abort();
      return succeed("won");
    }
    if (index === 1) await settle().then(settle);
    await branch.hold();
    return succeed("lost");
  };
  const signals = stops.map(({ signal }) => signal);
  expect(await runBeside(run, optionsFor(3, { stops: signals, limit: 2 }))).toEqual([
    succeed("won"),
    { kind: "stopped" },
    { kind: "stopped" },
  ]);
});

test("one that is told to stop while it is held is let end", async () => {
  const stop = new AbortController();
  const run = async (_: number, branch: Branch) => {
    setImmediate(() => stop.abort());
    await branch.hold();
    return succeed("acted");
  };
  const never: Branch = { ...trunk, hold: () => new Promise(() => {}), stop: stop.signal };
  const held: Branch = {
    ...never,
    isStopped: () => stop.signal.aborted,
    hold: async () => {
      await settle().then(settle);
      throw new StoppedError();
    },
  };
  const fork = { branch: held, hasBegun: () => false };
  await expect(runBeside(run, optionsFor(1, { fork }))).rejects.toThrow("told to stop");
});

test("if one breaks, the others are waited for and none begins after", async () => {
  const said: string[] = [];
  const run = async (index: number) => {
    said.push(`${index} begins`);
    if (index === 0) throw new Error("broken");
    await settle();
    said.push(`${index} ends`);
    return index === 1 ? fail("TIMEOUT", "late") : succeed("done");
  };
  await expect(runBeside(run, optionsFor(3, { limit: 2 }))).rejects.toThrow("broken");
  expect(said).toEqual(["0 begins", "1 begins", "1 ends"]);
});

test("if one breaks while others are held, they are not left there", async () => {
  const ended: string[] = [];
  const run = async (index: number, branch: Branch) => {
    if (index === 1) throw new Error("broken");
    try {
      await branch.hold();
    } finally {
      ended.push("held");
    }
    return succeed("never");
  };
  const fork = { branch: trunk, hasBegun: () => true };
  const options = optionsFor(2, { fork, hasBegun: () => true });
  await expect(runBeside(run, options)).rejects.toThrow("broken");
  expect(ended).toEqual(["held"]);
});
