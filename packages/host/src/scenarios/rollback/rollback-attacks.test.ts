// Compensations with false inputs: nothing is undone, and the refusal is sealed.

import { manualClock, type Stores } from "@turnseal/ports";
import { cellOf, compilePlan, type JsonObject, type PlanDocument } from "@turnseal/protocol";
import { planStarter, rollbackRest } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { rollbackKey } from "../../run-ids.ts";
import { registerPlan } from "../../state/register-plan.ts";
import { listRollbacks, readRollbackHead } from "../../undo/find/rollback-chain.ts";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };

/** The facts of the list about the only action of a desk. */
async function readAction(desk: RollbackDesk): Promise<JsonObject> {
  const listed = await desk.open().listRollback(desk.run);
  if (listed.kind !== "listed") throw new Error(listed.kind);
  const [step] = listed.steps;
  return { ...step?.takesBack } as unknown as JsonObject;
}

/** A plan of somebody else's that calls the compensation with these arguments, and its end. */
async function callUndo(desk: RollbackDesk, takesBack: JsonObject): Promise<string> {
  const plan: PlanDocument = {
    title: "tidy up",
    steps: [{ id: "undo", loop: "work.undo", version: "1.0.0", input: { takesBack } }],
  };
  const host = desk.open();
  const loop = { definition: compilePlan(plan), uses: [planStarter] };
  host.register(loop);
  const run = await host.start(loop, plan as never, {
    ...{ by: "eve", key: "eve", bounds: { turnsMax: 1 } },
    grant: { grantor: "eve", tools: ["local.work.undo", "turnseal.plan"], budget: {} },
  });
  await desk.drive(run);
  await desk.approve(run);
  await desk.drive(run);
  return run;
}

test.each<readonly [string, (action: JsonObject) => JsonObject]>([
  ["another result", (action) => ({ ...action, result: { put: "all" } })],
  ["another input", (action) => ({ ...action, input: { at: "all" } })],
  ["another receipt", (action) => ({ ...action, receipt: "sha256:0" })],
  ["another turn", (action) => ({ ...action, turn: 2 })],
  ["an action that never was", (action) => ({ ...action, key: "none" })],
  ["a run that there is not", (action) => ({ ...action, run: "none" })],
])("a list that was forged, with %s, does nothing", async (_, forge) => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const run = await callUndo(desk, forge(await readAction(desk)));
  expect(desk.undone).toEqual([]);
  expect((await desk.open().show(run))?.stopped).toBe("denied");
  expect(await desk.judge(run)).toEqual(sound);
});

test("what is taken back once is not taken back by anybody else", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const action = await readAction(desk);
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  await desk.drive(answer.run);
  await callUndo(desk, action);
  expect(desk.undone).toEqual(["one"]);
});

test("only a rollback takes back, also where another run comes first", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const run = await callUndo(desk, await readAction(desk));
  expect(desk.undone).toEqual([]);
  expect((await desk.open().show(run))?.stopped).toBe("denied");
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  await desk.drive(answer.run);
  expect(desk.undone).toEqual(["one"]);
});

test("the run of another tenant is one that there is not", async () => {
  const theirs = await openRollbackDesk({ steps: ["one"] });
  await theirs.work();
  const ours = await openRollbackDesk({ steps: ["two"], key: "ours" });
  await ours.work();
  expect(await ours.open().listRollback(theirs.run)).toMatchObject({ why: "run-unknown" });
  await callUndo(ours, await readAction(theirs));
  expect([...theirs.undone, ...ours.undone]).toEqual([]);
});

test("a compensation that needs more than its grant is refused, and that is sealed", async () => {
  const needs = () => ({ scopes: ["shop:refund"] });
  const desk = await openRollbackDesk({ steps: ["one"], way: { needs } });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("wait");
  await desk.answerRest(answer.run, "stays");
  await desk.drive(answer.run);
  expect(desk.undone).toEqual([]);
  const errors = (await desk.events(answer.run)).filter(({ type }) => type === "call.errored");
  expect(errors[0]?.content).toMatchObject({ code: "POLICY_DENIED" });
  expect(await desk.judge(answer.run)).toEqual(sound);
});

test("nobody widens the grant of a rollback by naming one", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const grant = { grantor: "ada", tools: [], budget: {} };
  const answer = await desk.open().rollback(desk.run, { by: "ada", grant });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("wait");
  await desk.answerRest(answer.run, "stays");
  await desk.drive(answer.run);
  expect(desk.undone).toEqual([]);
  expect(await desk.judge(answer.run)).toEqual(sound);
});

test("a run whose grant is over needs another grant to be taken back", async () => {
  const expiresAt = new Date(manualClock().now() + 10_000).toISOString();
  const ending = await openRollbackDesk({ steps: ["one"], grant: { expiresAt } });
  expect(await ending.work()).toBe("goal-reached");
  ending.clock.advance(10_000);
  expect(await ending.open().rollback(ending.run, { by: "ada" })).toMatchObject({
    ...{ kind: "refused", why: "grant-expired" },
  });
  const grant = { grantor: "ada", tools: ["local.work.undo"], budget: {} };
  const answer = await ending.open().rollback(ending.run, { by: "ada", grant });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await ending.drive(answer.run);
  await ending.approve(answer.run);
  expect(await ending.drive(answer.run)).toBe("goal-reached");
  expect(ending.undone).toEqual(["one"]);
});

test("what the run had left is what its rollback can spend", async () => {
  const budget = { toolCalls: 90, effects: 1, turns: 1, handoffs: 0, "shop.cents": 100 };
  const desk = await openRollbackDesk({ steps: ["one"], grant: { budget } });
  expect(await desk.work()).toBe("goal-reached");
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  expect((await desk.open().show(answer.run))?.spec?.grant).toMatchObject({
    tools: ["local.work.undo", "turnseal.plan", "turnseal.question"],
    budget: { turns: 1, toolCalls: 1, effects: 1, "shop.cents": 100 },
  });
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("goal-reached");
});

test("a plan that says it is a rollback is none, and nobody else has the key of one", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const steps = [{ id: "undo1", loop: "final", input: { at: "x" }, critical: false }];
  const forged = {
    title: "x",
    steps,
    rollback: { run: desk.run, toTurn: 0, ordinal: 0, left: [] },
  };
  const loop = { definition: compilePlan(forged), uses: [planStarter, rollbackRest] };
  const grant = { grantor: "eve", tools: ["turnseal.plan", "local.final"], budget: {} };
  const host = desk.open();
  registerPlan(host.registry, forged);
  const start = (key: string) => host.start(loop, forged as never, { key, by: "eve", grant });
  const run = await start("mine");
  await desk.drive(run);
  const projection = await desk.open().show(run);
  expect(await readRollbackHead(desk.stores, projection)).toBeUndefined();
  expect(await desk.progress(run)).toBeUndefined();
  await expect(start(rollbackKey(desk.run, 0))).rejects.toMatchObject({ code: "RUN_CONFLICT" });
  expect(await listRollbacks(desk.run, desk.stores)).toEqual([]);
});

test("whoever has a run has its rollbacks, in whatever cell they are asked for", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  expect(cellOf(answer.run)).toBe(cellOf(desk.run));
  expect((await listRollbacks(desk.run, desk.stores)).map(({ run }) => run)).toEqual([answer.run]);
});

test("before a compensation acts, only the turn of its action is read of the run", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  const read: number[] = [];
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: stores.log.append.bind(stores.log),
      readHead: stores.log.readHead.bind(stores.log),
      read: (run, from, count) => {
        if (run === desk.run) read.push(from);
        return stores.log.read(run, from, count);
      },
    },
  });
  expect(await desk.drive(answer.run, see)).toBe("goal-reached");
  expect(desk.undone).toEqual(["one"]);
  expect(read.length).toBeGreaterThan(0);
  expect(read).not.toContain(1);
});
