// Signals that come before a wait: how many the log keeps, and what a look at the run then reads.

import { SIGNALS_KEPT_BYTES_MAX, SIGNALS_KEPT_MAX } from "@turnseal/folds";
import type { FlowNode, JsonValue, LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { checkAwaited } from "../../messages/check-awaited.ts";
import { openWorld, RUN, type SampleWorld } from "../sample-world.test.data.ts";
import { listRefusals, readProjection, sendSignal } from "./early-signals.test.data.ts";

const header = { name: "n", version: "1.0.0", inputSchema: true, outputSchema: true } as const;

const wanted = { type: "object", required: ["ok"] } as const;

/** It waits for `first`, and then for `paid` with what it wants. */
const flow: LoopDef = {
  ...{ ...header, id: "desk", kind: "composite" },
  composite: {
    flow: {
      kind: "sequence",
      nodes: [
        { kind: "wait", name: "a", for: { signal: "first" } },
        { kind: "wait", name: "b", for: { signal: "paid", schema: wanted } },
      ] as FlowNode[],
    },
  },
};

interface Counted {
  readonly world: SampleWorld;
  /** How many blobs and events of the run a look reads. */
  look(): Promise<{ readonly blobs: number; readonly events: number }>;
}

function openCounted(bounds: object = {}): Counted {
  const read = { blobs: 0, events: 0 };
  const world = openWorld({
    ...{ loop: flow, input: {}, bounds },
    see: (stores) => ({
      ...stores,
      blobs: {
        ...stores.blobs,
        read: async (run, digest) => {
          read.blobs += 1;
          return stores.blobs.read(run, digest);
        },
      },
      log: {
        ...stores.log,
        read: async (...where) => {
          const page = await stores.log.read(...where);
          read.events += page.length;
          return page;
        },
      },
    }),
  });
  const look = async () => {
    [read.blobs, read.events] = [0, 0];
    await world.advance();
    return { ...read };
  };
  return { world, look };
}

/** Sends signals that fit nothing before the wait for them is open, and opens it. */
async function openBehind(count: number, payload: JsonValue, bounds: object = {}) {
  const counted = openCounted(bounds);
  const { world } = counted;
  await world.start();
  for (let sent = 0; sent < count; sent++) {
    await sendSignal(world, "paid", payload);
    if (sent % 50 === 49) await world.advance();
  }
  await world.advance();
  await sendSignal(world, "first", 1);
  await world.advance();
  return counted;
}

test.each([10, 200])("a look after %d that fit nothing reads none of them again", async (count) => {
  const { world, look } = await openBehind(count, { no: "x".repeat(1_000) });
  expect(await look()).toEqual({ blobs: 0, events: 0 });
  await sendSignal(world, "other", 1);
  expect((await look()).blobs).toBeLessThanOrEqual(1);
  await sendSignal(world, "paid", { ok: 1 });
  await world.advance();
  expect(await world.contents("question.answered")).toHaveLength(2);
  expect(await world.end()).toBe("goal-reached");
});

test("another process does not read them again either", async () => {
  const { world } = await openBehind(20, 1);
  let reads = 0;
  const next = openWorld({
    ...{ loop: flow, input: {}, after: world },
    see: (stores) => ({
      ...stores,
      blobs: {
        ...stores.blobs,
        read: async (...what) => {
          reads += 1;
          return stores.blobs.read(...what);
        },
      },
    }),
  });
  await next.advance();
  expect(reads).toBe(0);
  const waits = (await readProjection(world)).openTurn?.waits;
  expect(waits).toMatchObject([{ name: "paid", isJudged: true }]);
});

test("that they were looked at is said once, and the turn waits for the same", async () => {
  const { world } = await openBehind(3, 1);
  for (let looks = 0; looks < 3; looks++) await world.advance();
  const waiting = await world.contents("turn.waiting");
  expect(waiting).toHaveLength(3);
  const [, before, said] = waiting;
  const asked = (await world.events()).findLast(({ type }) => type === "question.asked");
  expect(said).toEqual({ ...before, heard: (asked?.sequence ?? 0) + 1 });
});

test("one that fits is found among those that do not, also behind them", async () => {
  const counted = openCounted();
  const { world } = counted;
  await world.start();
  for (const payload of [1, 2, { ok: 3 }, 4]) await sendSignal(world, "paid", payload);
  await sendSignal(world, "first", 1);
  for (let looks = 0; looks < 3; looks++) await world.advance();
  expect((await readProjection(world)).stopped).toBe("goal-reached");
});

test(`past ${SIGNALS_KEPT_MAX} of a name one more is recorded as refused`, async () => {
  const { world } = await openBehind(SIGNALS_KEPT_MAX + 2, 1);
  expect(await listRefusals(world)).toEqual(["signals-full", "signals-full"]);
  await sendSignal(world, "paid", { ok: 1 });
  for (let looks = 0; looks < 3; looks++) await world.advance();
  expect((await readProjection(world)).stopped).toBe("goal-reached");
});

test("one that a mapping reads is recorded past that, and is not kept for a wait", async () => {
  const bounds = { nextInput: { last: "$.signals.paid" } };
  const { world, look } = await openBehind(SIGNALS_KEPT_MAX + 2, 1, bounds);
  expect(await listRefusals(world)).toEqual([]);
  expect(await look()).toEqual({ blobs: 0, events: 0 });
  expect((await readProjection(world)).heard?.["paid"]).toMatchObject({ count: SIGNALS_KEPT_MAX });
});

test("the door refuses one that the run has no room for, and says what to do", async () => {
  const { world } = openCounted();
  await world.start();
  const payload = "x".repeat(900_000);
  const fits = Math.ceil(SIGNALS_KEPT_BYTES_MAX / (payload.length + 2));
  for (let sent = 0; sent < fits; sent++) {
    await sendSignal(world, "paid", payload);
    await world.advance();
  }
  const told = { run: RUN, projection: await readProjection(world) };
  const { stores, ports } = world;
  const say = (name: string) =>
    checkAwaited(told, { name, payload: 1 }, { stores, registry: ports.registry });
  await expect(say("paid")).rejects.toMatchObject({
    code: "SIGNALS_FULL",
    message: expect.stringContaining(`turnseal show ${RUN}`),
  });
  await expect(say("other")).resolves.toBeUndefined();
  // Without the loops of the run, it is unknown whether a prompt reads the signal: the run decides.
  await expect(checkAwaited(told, { name: "paid", payload: 1 }, { stores })).resolves.toBe(
    undefined,
  );
});
