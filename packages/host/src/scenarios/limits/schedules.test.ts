import type { RunBounds, Schedule } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openWorld, RUN, type SampleWorld } from "../sample-world.test.data.ts";

const MINUTE = 60_000;
const hourly: Schedule = { name: "hourly", cron: "0 * * * *", payload: { due: "report" } };

function openScheduled(
  schedules: readonly Schedule[],
  bounds: Partial<RunBounds> = {},
  after?: SampleWorld,
): SampleWorld {
  const awaits = schedules.map(({ name }) => name);
  const given = { schedules, awaits, turnsMax: 100_000, ...bounds };
  return openWorld({ bounds: given, ...(after === undefined ? {} : { after }) });
}

const ticksOf = async (world: SampleWorld) =>
  (await world.contents("signal.received"))
    .filter(({ key }) => String(key).startsWith("schedule:"))
    .map(({ receivedAt }) => String(receivedAt));
const turnsOf = async (world: SampleWorld) => (await world.contents("turn.closed")).length;

/** Carries the run until it waits, and answers when it is to be woken. */
async function wakeAt(world: SampleWorld): Promise<number> {
  const { dues } = await world.advance();
  if (dues.kind !== "wake") throw new Error(`the run is owed ${dues.kind}`);
  return dues.atMs;
}

test("a schedule wakes the run at its time, and the turn begins with its signal", async () => {
  const world = openScheduled([hourly], { nextInput: { word: "$.signals.hourly.due" } });
  await world.start();
  const startMs = world.clock.now();
  const first = await wakeAt(world);
  expect(first).toBe(Math.floor(startMs / (60 * MINUTE) + 1) * 60 * MINUTE);
  expect((await world.stores.runs.read(RUN))?.dueAt).toBe(new Date(first).toISOString());
  world.clock.advance(first - startMs - 1);
  expect(await wakeAt(world)).toBe(first);
  expect(await turnsOf(world)).toBe(1);
  world.clock.advance(1);
  expect(await wakeAt(world)).toBe(first + 60 * MINUTE);
  expect(await turnsOf(world)).toBe(2);
  const [signal] = (await world.events()).filter((event) => event.type === "signal.received");
  expect(signal).toMatchObject({ actor: { kind: "host" } });
  const at = new Date(first).toISOString();
  expect(signal?.content).toMatchObject({
    ...{ kind: "signal", name: "hourly", key: `schedule:hourly:${at}`, receivedAt: at },
  });
});

test("a run that is late does not move the times that follow", async () => {
  const world = openScheduled([hourly]);
  await world.start();
  for (let tick = 0; tick < 5; tick++) {
    world.clock.advance((await wakeAt(world)) - world.clock.now() + 7 * MINUTE);
  }
  const minutes = (await ticksOf(world)).map((at) => new Date(at).getUTCMinutes());
  expect(minutes).toEqual([0, 0, 0, 0]);
});

test("after a time away one signal makes up for all that were missed", async () => {
  const world = openScheduled([hourly]);
  await world.start();
  const first = await wakeAt(world);
  world.clock.advance(first - world.clock.now() + 49 * 60 * MINUTE + 1);
  const next = openScheduled([hourly], {}, world);
  expect(await wakeAt(next)).toBe(first + 50 * 60 * MINUTE);
  expect(await ticksOf(next)).toEqual([new Date(first + 49 * 60 * MINUTE).toISOString()]);
  expect(await turnsOf(next)).toBe(2);
});

test("times that pass while a turn is open are one signal after it", async () => {
  const world = openScheduled([{ name: "often", cron: "* * * * *" }]);
  await world.start();
  let turns = 0;
  const onProgress = () => {
    turns += 1;
    if (turns === 1) world.clock.advance(30 * MINUTE);
  };
  const { dues } = await world.advance({ sliceMs: Number.POSITIVE_INFINITY, onProgress });
  expect(dues).toEqual({ kind: "wake", atMs: world.clock.now() + MINUTE });
  expect(await ticksOf(world)).toHaveLength(1);
  expect(turns).toBe(2);
});

test("a person may give the signal of a schedule, and moves none of its times", async () => {
  const world = openScheduled([hourly]);
  await world.start();
  const first = await wakeAt(world);
  await world.put({ key: "s", kind: "signal", body: { name: "hourly", payload: 1, by: "me" } });
  expect(await wakeAt(world)).toBe(first);
  expect(await turnsOf(world)).toBe(2);
});

test("a deadline that comes first ends the run, and no time after it is given", async () => {
  const startMs = openWorld().clock.now();
  const deadlineMs = startMs + 90 * MINUTE;
  const world = openScheduled([{ name: "late", cron: "0 0 1 1 *" }], {
    deadlineAt: new Date(deadlineMs).toISOString(),
  });
  await world.start();
  expect(await wakeAt(world)).toBe(deadlineMs);
  world.clock.advance(deadlineMs - world.clock.now());
  expect(await world.end()).toBe("deadline-passed");
  expect(await turnsOf(world)).toBe(1);
});

test("a cancelled run is given no signal any more", async () => {
  const world = openScheduled([hourly]);
  await world.start();
  world.clock.advance((await wakeAt(world)) - world.clock.now());
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  expect(await world.end()).toBe("cancelled");
  expect(await ticksOf(world)).toEqual([]);
});

test("a schedule that cannot be read leaves the run waiting for people", async () => {
  const world = openScheduled([{ name: "odd", cron: "never at all" }]);
  await world.start();
  expect((await world.advance()).dues).toEqual({ kind: "wait" });
});

test("however time passes, no tick is given twice and each is a time of its schedule", async () => {
  const schedules: Schedule[] = [
    { name: "seven", cron: "*/7 * * * *" },
    { name: "night", cron: "30 2 * * *", timezone: "Europe/Berlin" },
    hourly,
  ];
  for (let seed = 1; seed <= 6; seed++) {
    let state = seed * 7_919;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    let world = openScheduled(schedules);
    await world.start();
    for (let step = 0; step < 16; step++) {
      const before = await ticksOf(world);
      const isAway = random(4) === 0;
      if (isAway) world = openScheduled(schedules, {}, world);
      world.clock.advance(random(isAway ? 3 * 86_400_000 : 20 * MINUTE));
      const atMs = await wakeAt(world);
      expect(atMs).toBeGreaterThan(world.clock.now());
      const given = (await ticksOf(world)).slice(before.length);
      // One look gives at most one tick of each schedule, for any number of missed ones.
      expect(given.length).toBeLessThanOrEqual(schedules.length);
    }
    const keys = (await world.contents("signal.received")).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await turnsOf(world)).toBe(keys.length + 1);
    for (const { name, receivedAt } of await world.contents("signal.received")) {
      const minute = new Date(String(receivedAt)).getUTCMinutes();
      const isOfItsSchedule =
        name === "seven" ? minute % 7 === 0 : minute === (name === "night" ? 30 : 0);
      expect(isOfItsSchedule || name === "night").toBe(true);
    }
  }
});
