// A compensation that may have acted is not repeated: the action is named with the attempt, in the
// list and where it would act.

import { listUnknown, UNKNOWN_ENDS_MAX } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { findUnknown, openGroupDesk } from "../__fixtures__/group-desk.ts";
import { openRollbackDesk } from "../__fixtures__/rollback-desk.ts";

const by = { id: "bea", roles: [] };

/** A group whose third member fails, and whose first has an unknown compensation. */
async function breakGroup(resolution: "abandon" | "happened") {
  const act = (at: string) => {
    if (at === "three") throw notDone("no room");
  };
  const undo = (at: string) => {
    if (at === "one" && desk.undone.length === 1) {
      desk.undone.push("one?");
      throw new Error("the line went dead");
    }
  };
  const desk = await openGroupDesk({ act, undo, way: { effect: "once" } });
  for (let tries = 0; tries < 10; tries++) {
    const end = await desk.drive();
    if (end !== "wait" && end !== "wake") break;
    const [request] = await desk.open().requests(desk.run);
    const key = findUnknown(await desk.events());
    if (request?.kind === "question") await desk.answer("stays");
    else if (key !== undefined) await desk.open().resolve(desk.run, { key, resolution, by });
  }
  expect(desk.undone).toEqual(["two", "one?"]);
  return desk;
}

describe("a compensation of a group of which a person said", () => {
  test("that nobody will know is not done again, and its action is listed", async () => {
    const desk = await breakGroup("abandon");
    const listed = await desk.open().listRollback(desk.run);
    expect(listed).toMatchObject({
      ...{ kind: "listed", steps: [] },
      left: [
        {
          ...{ tool: "local.one", turn: 1, why: "compensation-unknown" },
          reason: "local.one.undo in turn 1, which a person abandoned",
        },
      ],
    });
    expect(await desk.open().rollback(desk.run, { by: "ada" })).toMatchObject({ kind: "nothing" });
  });

  test("that nobody will know does nothing, also where a list was made without it", async () => {
    const desk = await breakGroup("abandon");
    const isUndo = ({ type, content }: LoopEvent) =>
      type === "action.claimed" && content.action === "tool" && content.takesBack !== undefined;
    const blind = (stores: Stores): Stores => ({
      ...stores,
      log: {
        ...stores.log,
        append: stores.log.append.bind(stores.log),
        readHead: stores.log.readHead.bind(stores.log),
        read: async (run, from, count) =>
          (await stores.log.read(run, from, count)).filter((event) => !isUndo(event)),
      },
    });
    const answer = await desk.open(blind).rollback(desk.run, { by: "ada" });
    if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
    expect(answer.list.steps.map(({ tool }) => tool)).toEqual(["local.two", "local.one"]);
    const host = desk.open();
    await host.drive(answer.run);
    const [request] = await host.requests(answer.run);
    await host.decide(answer.run, request?.id ?? "", { choice: "approve", by });
    await host.drive(answer.run);
    expect(desk.undone).toEqual(["two", "one?"]);
  });

  test("that it happened leaves nothing", async () => {
    const desk = await breakGroup("happened");
    expect(await desk.open().listRollback(desk.run)).toMatchObject({ steps: [], left: [] });
  });
});

test.each(["abandon", "happened"] as const)(
  "what an earlier rollback tried, and a person answered with %s, is told of",
  async (resolution) => {
    const undo = (at: string) => {
      desk.undone.push(`${at}?`);
      throw new Error("the line went dead");
    };
    const desk = await openRollbackDesk({ steps: ["one"], undo, way: { effect: "once" } });
    await desk.work();
    const answer = await desk.open().rollback(desk.run, { by: "ada" });
    if (answer.kind !== "proposed") throw new Error(answer.kind);
    await desk.drive(answer.run);
    await desk.approve(answer.run);
    await desk.drive(answer.run);
    const key = findUnknown(await desk.events(answer.run)) ?? "";
    await desk.open().resolve(answer.run, { key, resolution, by });
    if ((await desk.drive(answer.run)) === "wait") await desk.answerRest(answer.run, "stays");
    await desk.drive(answer.run);
    const left = {
      ...{ tool: "local.work", why: "compensation-unknown" },
      reason: `local.work.undo in run ${answer.run}, which a person abandoned`,
    };
    expect(await desk.open().rollback(desk.run, { by: "ada" })).toMatchObject({
      ...{ kind: "known", left: resolution === "abandon" ? [left] : [] },
    });
    expect(desk.undone).toEqual(["one?"]);
  },
);

test("what is unknown beyond those that people are asked about is left, and told of", async () => {
  const all = Array.from({ length: UNKNOWN_ENDS_MAX + 6 }, (_, at) => `item${at + 1}`);
  const act = (at: string) => {
    desk.world.add(at);
    if (at !== "item1") throw new Error("the line went dead");
  };
  const desk = await openRollbackDesk({
    ...{ steps: all, isList: true, atOnce: 32, act, effect: "once" },
  });
  await desk.work();
  await desk.open().cancel(desk.run, { key: "no", by: "ada" });
  expect(await desk.drive(desk.run)).toBe("cancelled");
  const run = await desk.open().show(desk.run);
  const asked = run === undefined ? [] : listUnknown(run);
  expect(asked).toHaveLength(UNKNOWN_ENDS_MAX);
  const result = { put: "item" };
  for (const { key } of asked) {
    const early = await desk.open().listRollback(desk.run);
    expect(early).toMatchObject({ kind: "refused", why: "effect-unknown" });
    await desk.open().resolve(desk.run, { key, resolution: "happened", result, by });
  }
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
  const { steps, left } = answer.list;
  expect(steps).toHaveLength(UNKNOWN_ENDS_MAX + 1);
  expect(left.map(({ tool, why, reason }) => ({ tool, why, reason }))).toEqual(
    Array.from({ length: 5 }, () => ({
      ...{ tool: "local.work", why: "abandoned" },
      reason: "too many were unknown to be asked about",
    })),
  );
  await desk.drive(answer.run);
  const [card] = await desk.open().requests(answer.run);
  expect(card?.request).toMatchObject({ document: { rollback: { left } } });
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("goal-reached");
  const sound = { codes: [], replays: ["identical"] };
  expect([await desk.judge(desk.run), await desk.judge(answer.run)]).toEqual([sound, sound]);
  expect(await desk.open().listRollback(desk.run)).toMatchObject({ kind: "known", left });
});

test("what a person let be done again, and was cancelled before, may have acted", async () => {
  const undo = (at: string) => {
    desk.undone.push(`${at}?`);
    throw new Error("the line went dead");
  };
  const desk = await openRollbackDesk({ steps: ["one"], undo, way: { effect: "once" } });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  await desk.drive(answer.run);
  const key = findUnknown(await desk.events(answer.run)) ?? "";
  await desk.open().resolve(answer.run, { key, resolution: "retry", by });
  await desk.open().cancel(answer.run, { key: "cancel", by: "ada" });
  expect(await desk.drive(answer.run)).toBe("cancelled");
  expect(await desk.open().rollback(desk.run, { by: "ada" })).toMatchObject({
    left: [{ tool: "local.work", why: "compensation-unknown" }],
  });
  expect(desk.undone).toEqual(["one?"]);
});
