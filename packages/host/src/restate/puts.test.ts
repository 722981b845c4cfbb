import { manualClock, type PutAnswer } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createPuts, PUTS_MAX } from "./puts.ts";

const stored: PutAnswer = { kind: "stored" };

/** Puts that end on release, and the order in which they began. */
function openPuts() {
  const puts = createPuts();
  const clock = manualClock();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const put = (tenant: string) =>
    puts.put({ tenant, clock }, async () => {
      begun.push(tenant);
      await new Promise<void>((resume) => ends.push(resume));
      return stored;
    });
  const settle = () => new Promise((resume) => setImmediate(resume));
  return { put, begun, ends, clock, settle };
}

test("a tenant that tells many runs something leaves room for another", async () => {
  const { put, begun, ends, settle } = openPuts();
  const noisy = Array.from({ length: 50 }, () => put("noisy"));
  await settle();
  expect(begun).toEqual(Array.from({ length: PUTS_MAX }, () => "noisy"));
  const quiet = put("quiet");
  ends.shift()?.();
  await settle();
  expect(begun.at(-1)).toBe("quiet");
  while (ends.length > 0) {
    ends.shift()?.();
    await settle();
  }
  expect(await quiet).toEqual(stored);
  expect(await Promise.all(noisy)).toHaveLength(50);
});

test("a put that fails gives its place back", async () => {
  const puts = createPuts();
  const clock = manualClock();
  for (let times = 0; times <= PUTS_MAX; times++)
    await expect(
      puts.put({ tenant: "ada", clock }, () => Promise.reject(new Error("away"))),
    ).rejects.toThrow("away");
  expect(await puts.put({ tenant: "ada", clock }, async () => stored)).toEqual(stored);
});

test("a message whose turn does not come is left to be brought again", async () => {
  const { put, begun, clock, settle } = openPuts();
  for (let times = 0; times < PUTS_MAX; times++) void put("ada");
  await settle();
  const late = put("ada").catch((error: Error) => error.message);
  await settle();
  clock.advance(60_000);
  expect(await late).toBe("no turn to put a message");
  expect(begun).toHaveLength(PUTS_MAX);
});
