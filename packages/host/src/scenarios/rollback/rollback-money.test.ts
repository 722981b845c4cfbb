// A rollback may spend the remainder of the run, once: asking again frees nothing, and a person
// learns of actions without money.
import type { Amounts, JsonValue } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const by = { by: "bea" };
const caps = { toolCalls: 90, effects: 90, turns: 20, handoffs: 20 };

async function propose(desk: RollbackDesk, run = desk.run): Promise<string> {
  const answer = await desk.open().rollback(run, by);
  if (answer.kind === "proposed") return answer.run;
  throw new Error(JSON.stringify(answer));
}

async function carryOut(desk: RollbackDesk, rollback: string): Promise<string> {
  await desk.drive(rollback);
  await desk.approve(rollback);
  return desk.drive(rollback);
}

test("what earlier rollbacks spent is not there for the next one", async () => {
  const broken = new Set(["one"]);
  const desk = await openRollbackDesk({
    steps: ["one", "two"],
    grant: { budget: { ...caps, "shop.cents": 100 } },
    way: { needs: () => ({ amounts: { "shop.cents": 40 } }) },
    undo: (at) => {
      if (broken.has(at)) throw notDone("the shop is closed");
    },
  });
  await desk.work();
  const first = await propose(desk);
  expect(await carryOut(desk, first)).toBe("wait");
  await desk.answerRest(first, "stays");
  expect(await desk.drive(first)).toBe("goal-reached");
  expect((await desk.open().show(first))?.spending.settled["shop.cents"]).toBe(40);
  const second = await propose(desk);
  expect(second).not.toBe(first);
  await desk.drive(second);
  const granted = (await desk.open().show(second))?.spec?.grant.budget as Amounts;
  expect(granted["shop.cents"]).toBe(60);
});

test("one that runs out of money does what it can, and asks a person about the rest", async () => {
  const cost: Record<string, number> = { three: 30, two: 90, one: 30 };
  const desk = await openRollbackDesk({
    steps: ["one", "two", "three"],
    grant: { budget: { ...caps, "shop.cents": 100 } },
    way: {
      needs: ({ takesBack: { result } }) => ({ amounts: { "shop.cents": cost[result.put] ?? 0 } }),
    },
  });
  await desk.work();
  const rollback = await propose(desk);
  expect(await carryOut(desk, rollback)).toBe("wait");
  expect(desk.undone).toEqual(["three", "one"]);
  expect((await desk.open().requests(rollback)).map(({ request }) => request)).toMatchObject([
    { run: desk.run, notTakenBack: 1, of: 3, steps: ["ok", "error", "ok"] },
  ] satisfies JsonValue);
  await desk.answerRest(rollback, "taken-back-by-hand");
  expect(await desk.drive(rollback)).toBe("goal-reached");
  expect(await desk.judge(rollback)).toEqual(sound);
});

test("a run that was handed to, and the run above it, have one purse", async () => {
  const desk = await openRollbackDesk({
    steps: ["one", "two"],
    handed: ["two"],
    grant: { budget: { ...caps, "shop.cents": 50 } },
    slice: { "shop.cents": 50 },
    way: { needs: () => ({ amounts: { "shop.cents": 40 } }) },
  });
  expect(await desk.work()).toBe("goal-reached");
  const claimed = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
  );
  const child = claimed[0] ?? "";
  expect(await carryOut(desk, await propose(desk, child))).toBe("goal-reached");
  const rest = await propose(desk);
  await desk.drive(rest);
  expect((await desk.open().show(rest))?.spec?.grant.budget["shop.cents"]).toBe(10);
});

test("what a run above may still spend is not there for a rollback of a run below", async () => {
  const desk = await openRollbackDesk({
    steps: ["one", "asked", "two"],
    handed: ["one", "two"],
    final: ["asked"],
    policy: {
      name: "desk",
      rules: [
        { id: "asks", decision: "ask", tools: ["local.final"] },
        { id: "rest", decision: "allow" },
      ],
    },
    grant: {
      budget: { ...caps, "shop.cents": 50 },
      perPeriod: { day: { "shop.cents": 50 } },
    },
    slice: { "shop.cents": 50 },
    way: { needs: () => ({ amounts: { "shop.cents": 40 } }) },
  });
  expect(await desk.work()).toBe("wait");
  const handed = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
  );
  const rollback = await propose(desk, handed[0]);
  expect(await carryOut(desk, rollback)).toBe("wait");
  expect(desk.undone).toEqual([]);
  const { budget, perPeriod } = (await desk.open().show(rollback))?.spec?.grant ?? {};
  expect([budget?.["shop.cents"], perPeriod?.day?.["shop.cents"]]).toEqual([0, 0]);
  await desk.approve(desk.run);
  expect(await desk.drive(desk.run)).toBe("goal-reached");
});

test("what one that has not ended may spend in a day is not there for another", async () => {
  const desk = await openRollbackDesk({
    steps: ["one", "two"],
    handed: ["one", "two"],
    grant: { budget: { ...caps, "shop.cents": 500 }, perPeriod: { day: { "shop.cents": 50 } } },
    slice: { "shop.cents": 50 },
    way: { needs: () => ({ amounts: { "shop.cents": 40 } }) },
  });
  expect(await desk.work()).toBe("goal-reached");
  const children = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
  );
  const days: unknown[] = [];
  for (const child of children) {
    const rollback = await propose(desk, child);
    await desk.drive(rollback);
    const { perPeriod } = (await desk.open().show(rollback))?.spec?.grant ?? {};
    days.push(perPeriod?.day?.["shop.cents"]);
  }
  expect(days).toEqual([50, 0]);
});

test("who asks grants nothing: the grantor is that of the run", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const grant = { grantor: "ada", tools: ["local.work.undo"], budget: {} };
  await expect(desk.open().rollback(desk.run, { ...by, grant })).rejects.toMatchObject({
    code: "GRANT_REFUSED",
  });
  const rollback = await propose(desk);
  await desk.drive(rollback);
  expect((await desk.open().show(rollback))?.spec?.grant.grantor).toBe("ada");
  const [started] = await desk.events(rollback);
  expect(JSON.stringify(started)).toContain("bea");
});
