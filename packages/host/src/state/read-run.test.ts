import { expect, test } from "vitest";
import { openWorld, RUN } from "../scenarios/sample-world.test.data.ts";
import { readRun } from "./read-run.ts";

/** A run whose head is read as it stood so many appends before, and catches up with each look. */
async function openMoving(behind: number) {
  const { stores, start, advance } = openWorld();
  await start();
  await advance();
  const head = await stores.log.readHead(RUN);
  if (head === undefined) throw new Error("the run has no log");
  let looks = 0;
  const readHead = async () => {
    const missing = behind - looks;
    looks += 1;
    return missing <= 0 ? head : { ...head, sequence: head.sequence - missing, hash: "" };
  };
  return { stores, moving: { ...stores, log: { ...stores.log, readHead } }, looks: () => looks };
}

test("a run that others move while it is looked at is read, however often they do", async () => {
  for (const behind of [1, 20, 99]) {
    const { stores, moving } = await openMoving(behind);
    expect(await readRun(moving, RUN)).toEqual(await readRun(stores, RUN));
  }
});

test("a run that never rests is not looked at for ever", async () => {
  const { moving, looks } = await openMoving(1_000);
  await expect(readRun(moving, RUN)).rejects.toMatchObject({ code: "RUN_STALE" });
  expect(looks()).toBeLessThanOrEqual(101);
});

test("a log that was put back behind its state is told at once", async () => {
  const { stores } = await openMoving(0);
  let looks = 0;
  const readHead = async () => {
    looks += 1;
    return { sequence: 1, hash: "", epoch: 1 };
  };
  const older = { ...stores, log: { ...stores.log, readHead } };
  await expect(readRun(older, RUN)).rejects.toMatchObject({ code: "RUN_STALE" });
  expect(looks).toBe(2);
});

test("a run that is not there is undefined", async () => {
  expect(await readRun(openWorld().stores, RUN)).toBeUndefined();
});
