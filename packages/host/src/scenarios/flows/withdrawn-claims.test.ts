/**
 * An unknown action in an item that lost: a person may say what happened, and that never changes
 * how the turn goes on.
 */

import { listUnknown } from "@turnseal/folds";
import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { resolveMessage } from "../../messages/inbox-messages.ts";
import { readWaiting } from "../../read/run/waiting.ts";
import { readRun } from "../../state/read-run.ts";
import {
  type FanOutDesk,
  type FanOutDeskOptions,
  openFanOutDesk,
  payAt,
} from "../__fixtures__/fan-out-desk.ts";

const by = { id: "ada", roles: ["finance"] };
const DAY_MS = 24 * 60 * 60 * 1000;

/** The slow payment loses, and the turn waits for a signal that does not come. */
const flow: FlowNode = {
  kind: "sequence",
  nodes: [
    { kind: "parallel", join: "any", branches: [payAt("literal:slow"), payAt("literal:fast")] },
    { kind: "wait", for: { signal: "go" } },
  ],
};

async function openLost(options: FanOutDeskOptions = {}): Promise<FanOutDesk> {
  const desk = await openFanOutDesk(flow, {
    ...options,
    isAsked: false,
    effect: "once",
    act: (at) => (at === "slow" ? new Promise(() => {}) : at),
  });
  await desk.drive();
  return desk;
}

async function findLost({ stores, run }: FanOutDesk) {
  const projection = await readRun(stores, run);
  const [claim, ...others] = projection === undefined ? [] : listUnknown(projection);
  if (projection === undefined || claim === undefined) throw new Error("nothing is unknown");
  expect(others).toEqual([]);
  return { projection, claim };
}

test("it is told as unknown, and as withdrawn", async () => {
  const desk = await openLost();
  const { projection, claim } = await findLost(desk);
  expect(claim).toMatchObject({ name: "local.pay", isWithdrawn: true });
  const said = (await desk.events()).filter(({ type }) => type === "action.unknown");
  expect(said.map(({ content }) => content)).toMatchObject([{ status: "withdrawn" }]);
  const { unknown } = await readWaiting(desk.stores, projection);
  expect(unknown).toMatchObject([{ isWithdrawn: true }]);
});

test.each(["retry", "abandon"] as const)("%s is refused, and says why", async (resolution) => {
  const desk = await openLost();
  const { claim } = await findLost(desk);
  await expect(
    desk.open().resolve(desk.run, { key: claim.key, resolution, by }),
  ).rejects.toMatchObject({ code: "CLAIM_WITHDRAWN" });
});

test.each(["retry", "abandon"] as const)(
  "%s that was on its way is refused in the log, and the turn ends as it would",
  async (resolution) => {
    const desk = await openLost();
    const { claim } = await findLost(desk);
    await desk.stores.inbox.put(resolveMessage(desk.run, claim, { resolution, by }));
    await desk.drive();
    const refusals = (await desk.events()).flatMap((event) =>
      event.type === "signal.received" && event.content.kind === "refused" ? [event.content] : [],
    );
    expect(refusals).toMatchObject([{ why: "item-withdrawn" }]);
    // The time of the wait is over.
    desk.clock.advance(DAY_MS + 1);
    expect(await desk.drive()).toBe("failed");
    const closed = (await desk.events()).filter(({ type }) => type === "turn.closed");
    expect(closed.map(({ content }) => content)).toMatchObject([{ outcome: "timed-out" }]);
    expect(desk.paid).toEqual(["fast"]);
    expect((await desk.judge()).findings).toEqual([]);
  },
);

test("another turn does not try again what may have happened", async () => {
  const desk = await openLost({ failuresMax: 2 });
  desk.clock.advance(DAY_MS + 1);
  expect(await desk.drive()).toBe("effect-unknown");
  const closed = (await desk.events()).filter(({ type }) => type === "turn.closed");
  expect(closed.map(({ content }) => content)).toMatchObject([{ outcome: "timed-out" }]);
  expect((await desk.judge()).findings).toEqual([]);
});

test("that it happened is written down, and the turn goes on as before", async () => {
  const desk = await openLost();
  const { claim } = await findLost(desk);
  await desk.open().resolve(desk.run, { key: claim.key, resolution: "happened", by });
  await desk.drive();
  const said = (await desk.events()).filter(({ type }) => type === "action.resolved");
  expect(said.map(({ content }) => content)).toMatchObject([{ resolution: "happened" }]);
  await desk.open().signal(desk.run, { name: "go", payload: 1, key: "go", by: "ada" });
  expect(await desk.drive()).toBe("goal-reached");
  expect((await desk.judge()).findings).toEqual([]);
});

test("once the run has stopped, whatever can be said of any action can be said of it", async () => {
  const desk = await openLost();
  await desk.open().signal(desk.run, { name: "go", payload: 1, key: "go", by: "ada" });
  expect(await desk.drive()).toBe("goal-reached");
  const { claim } = await findLost(desk);
  await desk.open().resolve(desk.run, { key: claim.key, resolution: "abandon", by });
  const said = (await desk.events()).filter(({ type }) => type === "run.resolved");
  expect(said).toHaveLength(1);
});
