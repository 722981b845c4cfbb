import { expect, test } from "vitest";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { type Branch, runInOrder, trunk } from "./branch.ts";

/** Where nothing is recorded. */
function openFork(branch: Branch = trunk, hasBegun = () => false) {
  return { branch, hasBegun };
}

function inOrder<Value>(
  runs: readonly ((branch: Branch) => Promise<Outcome<Value>>)[],
  fork: Parameters<typeof runInOrder>[1],
) {
  return runInOrder(
    runs.map((run) => ({ run })),
    fork,
  );
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
  expect(await inOrder(runs, openFork())).toEqual(["a", "b", "c"].map(succeed));
  expect(said).toEqual(["a false", "a ends", "b false", "b ends", "c false", "c ends"]);
});

test("behind one that waits the next are behind, and not over", async () => {
  const seen: unknown[] = [];
  const look = async (branch: Branch) => {
    seen.push([branch.isBehind(), branch.isOver()]);
    return succeed("looked");
  };
  await inOrder([look, async () => paused, look, look], openFork());
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
  await inOrder([look, async () => fail("TIMEOUT", "late"), look], openFork());
  expect(seen).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("one that is held lets the others move", async () => {
  const said: string[] = [];
  const holding = async (branch: Branch) => {
    said.push("first");
    await branch.hold();
    said.push("first goes on");
    return succeed("first");
  };
  const moving = async () => {
    said.push("second");
    return succeed("second");
  };
  const outcomes = await inOrder(
    [holding, moving],
    openFork(trunk, () => true),
  );
  expect(outcomes).toEqual([succeed("first"), succeed("second")]);
  expect(said).toEqual(["first", "second", "first goes on"]);
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
  await inOrder(runs, openFork());
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
    const [outcome] = await inOrder(
      [inner(name)],
      openFork(branch, () => true),
    );
    return outcome ?? paused;
  };
  const other = async () => {
    said.push("other");
    return paused;
  };
  await inOrder(
    [nested("first"), other, nested("last")],
    openFork(trunk, () => true),
  );
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
  await expect(inOrder([held, broken], openFork())).rejects.toThrow("broken");
});

/** Reports when it begins to act, and acts until it may end. */
function acting(name: string, said: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (branch: Branch): Promise<Outcome<string>> => {
    said.push(`${name} begins`);
    if (branch.isBehind()) await branch.hold();
    said.push(`${name} acts`);
    await promise;
    said.push(`${name} ends`);
    return succeed(name);
  };
  return { run, end: resolve };
}

const settled = () => new Promise<void>((resume) => setImmediate(resume));

test("neighbours that are independent act at once, and the outcomes keep their order", async () => {
  const said: string[] = [];
  const [one, two, three] = [acting("a", said), acting("b", said), acting("c", said)];
  const runs = [
    { run: one.run, isIndependent: true },
    { run: two.run, isIndependent: true },
    { run: three.run },
  ];
  const outcomes = runInOrder(runs, openFork());
  await settled();
  expect(said).toEqual(["a begins", "b begins", "a acts", "b acts"]);
  two.end();
  await settled();
  expect(said.slice(4)).toEqual(["b ends"]);
  one.end();
  await settled();
  expect(said.slice(5)).toEqual(["a ends", "c begins", "c acts"]);
  three.end();
  expect(await outcomes).toEqual(["a", "b", "c"].map(succeed));
});

test("one that is not independent parts those that are", async () => {
  const said: string[] = [];
  const [one, two, three] = [acting("a", said), acting("b", said), acting("c", said)];
  const runs = [
    { run: one.run, isIndependent: true },
    { run: two.run },
    { run: three.run, isIndependent: true },
  ];
  const outcomes = runInOrder(runs, openFork());
  await settled();
  expect(said).toEqual(["a begins", "a acts"]);
  for (const { end } of [one, two, three]) end();
  await outcomes;
  expect(said.slice(2)).toEqual(["a ends", ...["b", "c"].flatMap(lifeOf)]);
});

const lifeOf = (name: string) => ["begins", "acts", "ends"].map((word) => `${name} ${word}`);

test("a group waits with what is new until all that is recorded was made again", async () => {
  const said: string[] = [];
  let isRecorded = true;
  const [one, two] = [acting("a", said), acting("b", said)];
  for (const { end } of [one, two]) end();
  const last = async (): Promise<Outcome<string>> => {
    said.push("c is made again");
    isRecorded = false;
    return succeed("c");
  };
  const runs = [
    { run: one.run, isIndependent: true },
    { run: two.run, isIndependent: true },
    { run: last },
  ];
  await runInOrder(
    runs,
    openFork(trunk, () => isRecorded),
  );
  expect(said.slice(0, 4)).toEqual(["a begins", "b begins", "c is made again", "a acts"]);
});

test("behind one that waits or failed, its group goes on and the next do not", async () => {
  for (const [outcome, isOver] of [
    [paused, false],
    [fail("TIMEOUT", "late"), true],
  ] as const) {
    const seen: unknown[] = [];
    const look = async (branch: Branch): Promise<Outcome<string>> => {
      if (branch.isBehind()) await branch.hold();
      seen.push([branch.isBehind(), branch.isOver()]);
      return succeed("looked");
    };
    const stuck = async (): Promise<Outcome<string>> => outcome;
    const runs = [
      { run: stuck, isIndependent: true },
      { run: look, isIndependent: true },
      { run: look },
    ];
    await runInOrder(runs, openFork());
    expect(seen).toEqual([
      [false, false],
      [true, isOver],
    ]);
  }
});

test("one of a group that breaks breaks all, when the others have ended", async () => {
  const said: string[] = [];
  const one = acting("a", said);
  const broken = async (branch: Branch): Promise<Outcome<string>> => {
    if (branch.isBehind()) await branch.hold();
    throw new Error("broken");
  };
  const runs = [
    { run: broken, isIndependent: true },
    { run: one.run, isIndependent: true },
  ];
  const outcomes = runInOrder(runs, openFork());
  outcomes.catch(() => said.push("broken"));
  await settled();
  one.end();
  await expect(outcomes).rejects.toThrow("broken");
  expect(said.at(-1)).toBe("broken");
  expect(said).toContain("a ends");
});
