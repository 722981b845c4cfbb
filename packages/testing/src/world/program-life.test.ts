import { chainEvents, memoryStores, SAMPLE_DEFAULTS, sampleEvent } from "@turnseal/ports";
import { EMPTY_HEAD, type LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { startLife } from "./program-life.ts";
import { virtualClock } from "./virtual-clock.ts";

const RUN = "0f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

function firstEvents(): LoopEvent[] {
  return chainEvents([sampleEvent("log", SAMPLE_DEFAULTS.log)], { run: RUN, epoch: 1 });
}

/** Appends one event in a life that ends around it, and answers with what the store then holds. */
async function appendOnce(point: { readonly when: "before" | "after"; readonly type: string }) {
  const clock = virtualClock();
  const stores = memoryStores(clock);
  const life = startLife(stores, clock);
  await life.stores.log.takeEpoch(RUN);
  life.crashAt({ ...point, nth: 1 });
  const events = firstEvents();
  const append = { run: RUN, epoch: 1, after: EMPTY_HEAD, events, blobs: [], consumed: [] };
  const answered = life.stores.log.append(append).then(({ kind }) => kind);
  const end = await Promise.race([answered, life.crashed.then(() => "crashed")]);
  return { end, kept: (await stores.log.read(RUN, 1)).length, life, clock };
}

test("a crash before an event keeps nothing of it, one after it keeps it", async () => {
  expect(await appendOnce({ when: "before", type: "log" })).toMatchObject({
    end: "crashed",
    kept: 0,
  });
  expect(await appendOnce({ when: "after", type: "log" })).toMatchObject({
    end: "crashed",
    kept: 1,
  });
});

test("a crash at another event does not happen", async () => {
  const { end, kept } = await appendOnce({ when: "before", type: "run.started" });
  expect({ end, kept }).toEqual({ end: "appended", kept: 1 });
});

test("a life that is over is called by no timer and hears nothing of its stores", async () => {
  const { life, clock } = await appendOnce({ when: "before", type: "run.started" });
  let calls = 0;
  life.clock.after(5, () => {
    calls += 1;
  });
  life.end();
  life.clock.after(5, () => {
    calls += 1;
  });
  clock.pass(10);
  expect(calls).toBe(0);
  const heard = life.stores.log.readHead(RUN).then(() => "heard");
  const silence = new Promise((resolve) => setImmediate(() => resolve("silence")));
  expect(await Promise.race([heard, silence])).toBe("silence");
});
