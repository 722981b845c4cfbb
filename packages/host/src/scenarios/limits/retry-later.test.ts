/**
 * The wish of a provider to be left alone also holds between two turns, when no provider is waited
 * for.
 */

import { RETRY_LATER_MS_MAX } from "@turnseal/folds";
import { type Model, ModelError, scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { openWorld } from "../sample-world.test.data.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Fails so often, each time with the same wish, and then answers. */
function busyModel(failures: number, retryAfterMs: number) {
  const answers = scriptedModel();
  let requests = 0;
  const model: Model = {
    ...answers,
    generate: async (request) => {
      requests += 1;
      if (requests > failures) return answers.generate(request);
      const message = "the provider is busy";
      // It has an answer: nobody waits for it to come back.
      throw new ModelError({ code: "MODEL_REFUSED", retry: "retry", message, retryAfterMs });
    },
  };
  return { model, requests: () => requests };
}

async function openBusy(failures: number, retryAfterMs: number) {
  const { model, requests } = busyModel(failures, retryAfterMs);
  const world = openWorld({ model, bounds: { failuresMax: 3 } });
  await world.start();
  return { world, requests };
}

test("the turn that tries again begins no earlier than the provider asked", async () => {
  // Longer than a turn waits for.
  const { world, requests } = await openBusy(1, 2 * HOUR_MS);
  const startMs = world.clock.now();
  const { dues } = await world.advance();
  expect(dues).toEqual({ kind: "wake", atMs: startMs + 2 * HOUR_MS });
  world.clock.advance(2 * HOUR_MS - 1);
  expect((await world.advance()).dues).toEqual(dues);
  expect(requests()).toBe(1);
  world.clock.advance(1);
  expect(await world.end()).toBe("goal-reached");
  expect(requests()).toBe(2);
  expect(await world.contents("run.decided")).toMatchObject([
    { reason: "first-turn" },
    { reason: "retry-after-failure" },
    { reason: "goal-reached" },
  ]);
});

test("a wish past RETRY_LATER_MS_MAX is kept that long, and not longer", async () => {
  for (const askedMs of [RETRY_LATER_MS_MAX, RETRY_LATER_MS_MAX + 1, Number.MAX_SAFE_INTEGER]) {
    const { world } = await openBusy(1, askedMs);
    const startMs = world.clock.now();
    const { dues } = await world.advance();
    expect(dues).toEqual({ kind: "wake", atMs: startMs + RETRY_LATER_MS_MAX });
  }
});

test("a cancel does not wait for the provider", async () => {
  const { world, requests } = await openBusy(1, 2 * HOUR_MS);
  await world.advance();
  await world.put({ key: "c", kind: "cancel", body: {} });
  expect(await world.end()).toBe("cancelled");
  expect(requests()).toBe(1);
});

test("the last failure ends the run at once", async () => {
  const { model } = busyModel(9, 2 * HOUR_MS);
  const world = openWorld({ model, bounds: { failuresMax: 1 } });
  await world.start();
  expect(await world.end()).toBe("failed");
});
