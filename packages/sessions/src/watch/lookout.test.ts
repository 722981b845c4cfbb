import { expect, test } from "vitest";
import { createLookout } from "./lookout.ts";
import { createPace } from "./pace.ts";

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

test("it looks by itself, ever more seldom while nothing happens", async () => {
  const looks: number[] = [];
  const lookout = createLookout({
    look: async () => {
      looks.push(performance.now());
      return "still";
    },
    firstMs: 10,
    lastMs: 40,
  });
  lookout.wake();
  while (looks.length < 5) await pause(5);
  lookout.close();
  const waits = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
  for (const [index, least] of [9, 19, 39, 39].entries())
    expect(waits[index]).toBeGreaterThanOrEqual(least);
  await pause(60);
  expect(looks).toHaveLength(5);
});

test("who wakes it while it looks is answered by one more look, not by two at once", async () => {
  let [looking, most, looks] = [0, 0, 0];
  const lookout = createLookout({
    look: async () => {
      looking += 1;
      most = Math.max(most, looking);
      looks += 1;
      await pause(5);
      looking -= 1;
      return "moved";
    },
    firstMs: 60_000,
    lastMs: 60_000,
  });
  lookout.wake();
  for (let index = 0; index < 10; index++) lookout.wake();
  await lookout.look();
  lookout.close();
  expect([most, looks]).toEqual([1, 2]);
});

test("a look that fails is said to whoever asked for it, and made again later", async () => {
  let looks = 0;
  const lookout = createLookout({
    look: async () => {
      looks += 1;
      if (looks === 1) throw new Error("away");
      return "still";
    },
    firstMs: 5,
    lastMs: 5,
  });
  await expect(lookout.look()).rejects.toThrow("away");
  while (looks < 2) await pause(1);
  lookout.close();
});

test("what is done is not looked at again", async () => {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return "done" as const;
  };
  const lookout = createLookout({ look, firstMs: 1, lastMs: 1 });
  await lookout.look();
  lookout.wake();
  await pause(20);
  expect(looks).toBe(1);
});

test("a pace lets so many work at once, and the next when one has ended or failed", async () => {
  const pace = createPace(2);
  let [running, most] = [0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(2);
    running -= 1;
    throw new Error("it failed");
  };
  const ended = await Promise.allSettled(Array.from({ length: 7 }, () => pace(work)));
  expect(most).toBe(2);
  expect(ended.every(({ status }) => status === "rejected")).toBe(true);
  expect(await pace(async () => "free")).toBe("free");
});
