// Faults that could leave a run without a message that is due.
import { type Clock, systemClock } from "@turnseal/ports";
import type { Grant, Policy } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld } from "./durable-world.ts";
import { createPaymentLoops } from "./payment-loops.ts";

const keys = new Set<string>();
let onPay = async (): Promise<void> => {};
const loops = createPaymentLoops(async ({ cents }, { key }) => {
  keys.add(key);
  await onPay();
  return { paid: cents };
});
const grant: Grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
let behindMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() - behindMs };
let world: DurableWorld;

beforeAll(async () => {
  world = await openDurableWorld({ loops: loops.all });
  await world.startWorker({ host: { clock } });
});
afterAll(() => world.close());

test("a run whose epoch was taken by somebody who does nothing goes on by itself", async () => {
  let wasTaken = false;
  onPay = async () => {
    // As an attempt that the engine gave up, and whose statement arrives late.
    if (!wasTaken) await world.stores.log.takeEpoch(run);
    wasTaken = true;
  };
  const run = await world.host.start(loops.pay, { order: "fenced", cents: 5 }, { grant });
  expect(await world.stoppedOf(run)).toBe("goal-reached");
  expect(wasTaken).toBe(true);
  expect(keys.size).toBe(1);
});

test("a worker whose clock is behind is woken again when its time has come", async () => {
  onPay = async () => {};
  const policy: Policy = {
    name: "hasty",
    rules: [{ id: "all", decision: "ask", tools: ["local.pay"], decideWithinMs: 1_000 }],
  };
  const run = await world.host.start(loops.pay, { order: "skewed", cents: 5 }, { grant, policy });
  await world.until(async () => (await world.host.requests(run))[0]);
  behindMs = 700;
  expect(await world.stoppedOf(run)).toBe("approval-expired");
});
