import { expect, test } from "vitest";
import { type Branch, runInOrder, trunk } from "./branch.ts";
import { fail, type Outcome, succeed } from "./outcome.ts";

/** A place in time that moves by what each run does. */
function openFork(branch: Branch = trunk) {
  let at = { lastMs: 0, idleMs: 0 };
  const recorder = {
    place: () => at,
    goTo: (place: typeof at) => {
      at = place;
    },
  };
  return { branch, recorder, moveTo: (lastMs: number) => recorder.goTo({ lastMs, idleMs: 0 }) };
}

const paused: Outcome<string> = { kind: "paused" };

test("each begins when the one before has ended, and the outcomes are in their order", async () => {
  const said: string[] = [];
  const runs = ["a", "b", "c"].map((name) => async (branch: Branch) => {
    said.push(`${name} ${branch.isBehind()}`);
    await Promise.resolve();
    said.push(`${name} ends`);
    return succeed(name);
  });
  expect(await runInOrder(runs, openFork())).toEqual(["a", "b", "c"].map(succeed));
  expect(said).toEqual(["a false", "a ends", "b false", "b ends", "c false", "c ends"]);
});

test("behind one that waits the next are behind, and not over", async () => {
  const seen: unknown[] = [];
  const look = async (branch: Branch) => {
    seen.push([branch.isBehind(), branch.isOver()]);
    return succeed("looked");
  };
  await runInOrder([look, async () => paused, look, look], openFork());
  expect(seen).toEqual([
    [false, false],
    [true, false],
    [true, false],
  ]);
});

test("behind one that failed the next are over", async () => {
  const seen: unknown[] = [];
  const look = async (branch: Branch) => {
    seen.push([branch.isBehind(), branch.isOver()]);
    return succeed("looked");
  };
  await runInOrder([look, async () => fail("TIMEOUT", "late"), look], openFork());
  expect(seen).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("one that is held lets the others move, and goes on where its own time stood", async () => {
  const fork = openFork();
  const said: string[] = [];
  const holding = async (branch: Branch) => {
    fork.moveTo(10);
    said.push("first");
    await branch.hold();
    said.push(`first at ${fork.recorder.place().lastMs}`);
    return succeed("first");
  };
  const moving = async () => {
    fork.moveTo(30);
    said.push("second");
    return succeed("second");
  };
  expect(await runInOrder([holding, moving], fork)).toEqual([succeed("first"), succeed("second")]);
  expect(said).toEqual(["first", "second", "first at 10"]);
  expect(fork.recorder.place().lastMs).toBe(30);
});

test("those that are held are let go one by one, in their order", async () => {
  const said: string[] = [];
  const runs = ["a", "b"].map((name) => async (branch: Branch) => {
    await branch.hold();
    said.push(`${name} ${branch.isBehind()}`);
    await Promise.resolve();
    // It is held once: nothing stands beside it any more.
    await branch.hold();
    said.push(`${name} ends`);
    return succeed(name);
  });
  await runInOrder(runs, openFork());
  expect(said).toEqual(["a false", "a ends", "b false", "b ends"]);
});

test("what is held below is held above, and what is behind above is behind below", async () => {
  const said: string[] = [];
  const inner = (name: string) => async (branch: Branch) => {
    await branch.hold();
    said.push(`${name} ${branch.isBehind()}`);
    return succeed(name);
  };
  const nested = (name: string) => async (branch: Branch) => {
    const [outcome] = await runInOrder([inner(name)], openFork(branch));
    return outcome ?? paused;
  };
  const other = async () => {
    said.push("other");
    return paused;
  };
  await runInOrder([nested("first"), other, nested("last")], openFork());
  expect(said).toEqual(["other", "first false", "last true"]);
});

test("one that breaks breaks all, and none is left without anybody who looks", async () => {
  const broken = async (): Promise<Outcome<string>> => {
    throw new Error("broken");
  };
  const held = async (branch: Branch) => {
    await branch.hold();
    throw new Error("broken too");
  };
  await expect(runInOrder([held, broken], openFork())).rejects.toThrow("broken");
});
