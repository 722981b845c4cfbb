// A run of its own takes back what a run did. It starts as a plan, through a real host, and each
// step is taken by a process that only has the log.
import { PLAN_STEPS_MAX } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { listRollbacks, ROLLBACKS_MAX } from "../../undo/find/rollback-chain.ts";
import {
  listTakenBack,
  openRollbackDesk,
  type RollbackDesk,
  TEN,
} from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const by = { by: "ada" };

/** Asks for a rollback, and answers with its run. */
async function propose(desk: RollbackDesk, toTurn = 0): Promise<string> {
  const answer = await desk.open().rollback(desk.run, { ...by, toTurn });
  if (answer.kind === "proposed") return answer.run;
  throw new Error(JSON.stringify(answer));
}

describe("a rollback", () => {
  test("waits for people, and then takes everything back once, the latest first", async () => {
    const desk = await openRollbackDesk();
    expect(await desk.work()).toBe("goal-reached");
    const listed = await desk.open().listRollback(desk.run);
    expect(listed).toMatchObject({ kind: "listed", toTurn: 0, ordinal: 0, left: [] });
    const rollback = await propose(desk);
    expect(await desk.drive(rollback)).toBe("wait");
    expect(desk.undone).toEqual([]);
    const [request] = await desk.open().requests(rollback);
    expect(request).toMatchObject({
      name: "turnseal.plan",
      request: { document: { rollback: {} } },
    });
    await desk.approve(rollback);
    expect(await desk.drive(rollback)).toBe("goal-reached");
    expect(desk.undone).toEqual(TEN.toReversed());
    expect([...desk.world]).toEqual([]);
    expect(await desk.judge(rollback)).toEqual(sound);
    expect(await desk.judge(desk.run)).toEqual(sound);
  });

  test("links what it takes back, in its claims and in its receipt", async () => {
    const desk = await openRollbackDesk({ steps: ["one"] });
    await desk.work();
    const rollback = await propose(desk);
    await desk.drive(rollback);
    await desk.approve(rollback);
    await desk.drive(rollback);
    const [claimed] = (await desk.events(desk.run)).filter(
      (event) =>
        event.type === "action.claimed" &&
        event.content.action === "tool" &&
        event.content.tool === "local.work",
    );
    const receipt = await desk.stores.receipts.read(desk.run, 1);
    const link = {
      run: desk.run,
      turn: 1,
      key: claimed?.type === "action.claimed" ? claimed.content.key : "",
      receipt: receipt?.id,
    };
    expect(listTakenBack(await desk.events(rollback))).toEqual([link]);
    const sealed = await desk.stores.receipts.read(rollback, 1);
    const text = atob(sealed?.envelope.payload ?? "");
    expect(JSON.parse(text).predicate.effects.map((effect: object) => effect)).toContainEqual(
      expect.objectContaining({ tool: "local.work.undo", takesBack: link, status: "ok" }),
    );
  });

  test("asked for twice is the same one, and once it is done there is nothing left", async () => {
    const desk = await openRollbackDesk({ steps: ["one", "two"] });
    await desk.work();
    const first = await propose(desk);
    expect(await propose(desk)).toBe(first);
    await desk.drive(first);
    expect(await desk.open().rollback(desk.run, by)).toMatchObject({ rollback: { run: first } });
    await desk.approve(first);
    await desk.drive(first);
    expect(await desk.open().rollback(desk.run, by)).toMatchObject({
      kind: "known",
      rollback: { run: first },
    });
    expect(desk.undone).toEqual(["two", "one"]);
  });

  test("lists what it leaves, and why, before anybody is asked", async () => {
    const desk = await openRollbackDesk({
      ...{ steps: ["one", "two", "three"], final: ["two"], silent: ["three"] },
    });
    await desk.work();
    expect(await desk.open().listRollback(desk.run)).toMatchObject({
      steps: [{ tool: "local.work", undo: "local.work.undo" }],
      left: [
        { tool: "local.silent", why: "undeclared" },
        { tool: "local.final", why: "irreversible", reason: "mail cannot be called back" },
      ],
    });
  });

  test("comes too late after the declared time, also when it was approved before", async () => {
    const desk = await openRollbackDesk({ steps: ["one"], way: { withinMs: 1_000 } });
    await desk.work();
    const rollback = await propose(desk);
    await desk.drive(rollback);
    await desk.approve(rollback);
    desk.clock.advance(1_001);
    expect(await desk.open().listRollback(desk.run)).toMatchObject({ kind: "known" });
    expect(await desk.drive(rollback)).toBe("wait");
    expect(desk.undone).toEqual([]);
    await desk.answerRest(rollback, "taken-back-by-hand");
    expect(await desk.drive(rollback)).toBe("goal-reached");
    expect(await desk.judge(rollback)).toEqual(sound);
    expect(await desk.open().listRollback(desk.run)).toMatchObject({
      ...{ kind: "known", rollback: { run: rollback }, left: [{ why: "expired" }] },
    });
  });

  test("leaves what was erased", async () => {
    const erased = await openRollbackDesk({ steps: ["one"] });
    await erased.work();
    await erased.stores.blobs.erase(erased.run);
    expect(await erased.open().listRollback(erased.run)).toMatchObject({
      ...{ steps: [], left: [{ why: "erased" }] },
    });
  });

  test("of which one fails goes on, and is asked for again with what is left", async () => {
    let isBroken = true;
    const undo = (at: string) => {
      if (at === "two" && isBroken) throw notDone("the shop is closed");
    };
    const desk = await openRollbackDesk({ steps: ["one", "two", "three"], undo });
    await desk.work();
    const first = await propose(desk);
    await desk.drive(first);
    await desk.approve(first);
    expect(await desk.drive(first)).toBe("wait");
    expect(desk.undone).toEqual(["three", "one"]);
    // A person decides on the rest, and nothing else begins meanwhile.
    expect((await desk.open().requests(first)).map(({ request }) => request)).toEqual([
      {
        ...{ run: desk.run, notTakenBack: 1, of: 3, steps: ["ok", "error", "ok"] },
        actions: Array(3).fill(expect.stringMatching(/^local\.work in turn 1, done 20/)),
      },
    ]);
    expect(await desk.open().rollback(desk.run, by)).toMatchObject({ kind: "known" });
    await desk.answerRest(first, "stays");
    expect(await desk.drive(first)).toBe("goal-reached");
    expect(await desk.progress(first)).toEqual({ takenBack: 2, of: 3 });
    expect(await desk.judge(first)).toEqual(sound);
    isBroken = false;
    const second = await propose(desk);
    expect(second).not.toBe(first);
    await desk.drive(second);
    await desk.approve(second);
    await desk.drive(second);
    expect(desk.undone).toEqual(["three", "one", "two"]);
    expect(await desk.progress(second)).toEqual({ takenBack: 1, of: 1 });
    expect(await desk.open().rollback(desk.run, by)).toMatchObject({ kind: "known" });
  });

  test("of which all fails asks a person, and without an answer it fails", async () => {
    const desk = await openRollbackDesk({
      steps: ["one", "two"],
      undo: () => {
        throw notDone("the shop is closed");
      },
    });
    await desk.work();
    const rollback = await propose(desk);
    await desk.drive(rollback);
    await desk.approve(rollback);
    expect(await desk.drive(rollback)).toBe("wait");
    await expect(desk.answerRest(rollback, "done")).rejects.toThrow();
    desk.clock.advance(366 * 24 * 60 * 60 * 1000);
    expect(await desk.drive(rollback)).toBe("failed");
    expect(await desk.progress(rollback)).toEqual({ takenBack: 0, of: 2 });
    expect(await desk.judge(rollback)).toEqual(sound);
  });

  test("of as many steps as there can be has room for its question", async () => {
    const steps = Array.from({ length: PLAN_STEPS_MAX }, (_, index) => `s${index}`);
    const undo = (at: string) => {
      if (at === "s7") throw notDone("the shop is closed");
    };
    const budget = { toolCalls: 200, effects: 200, turns: 2, handoffs: 0 };
    const desk = await openRollbackDesk({ steps, undo, grant: { budget } });
    expect(await desk.work()).toBe("goal-reached");
    const rollback = await propose(desk);
    await desk.drive(rollback);
    await desk.approve(rollback);
    expect(await desk.drive(rollback)).toBe("wait");
    const [asked] = await desk.open().requests(rollback);
    expect(asked?.request).toMatchObject({ notTakenBack: 1, of: PLAN_STEPS_MAX });
    expect(await desk.progress(rollback)).toEqual({ takenBack: 99, of: PLAN_STEPS_MAX });
  });

  test("takes back what the runs did that it handed to", async () => {
    const desk = await openRollbackDesk({ steps: ["one", "two", "three"], handed: ["two"] });
    expect(await desk.work()).toBe("goal-reached");
    const rollback = await propose(desk);
    await desk.drive(rollback);
    await desk.approve(rollback);
    await desk.drive(rollback);
    expect(desk.undone).toEqual(["three", "two", "one"]);
    expect(await desk.judge(rollback)).toEqual(sound);
  });

  test("that is rejected takes nothing back, and can be asked for again", async () => {
    const desk = await openRollbackDesk({ steps: ["one"] });
    await desk.work();
    const first = await propose(desk);
    await desk.drive(first);
    await desk.approve(first, "reject");
    expect(await desk.drive(first)).toBe("approval-rejected");
    expect(desk.undone).toEqual([]);
    expect(await propose(desk)).not.toBe(first);
  });

  test("to a turn that there is not, or of a run that goes on, is refused", async () => {
    const desk = await openRollbackDesk({ steps: ["one"] });
    await desk.drive(desk.run);
    const refused = (why: string) => ({ kind: "refused", why });
    expect(await desk.open().rollback(desk.run, by)).toMatchObject(refused("not-stopped"));
    expect(await desk.open().rollback(desk.run, { ...by, toTurn: 7 })).toMatchObject(
      refused("turn-unknown"),
    );
    expect(await desk.open().rollback("none", by)).toMatchObject(refused("run-unknown"));
  });

  test("is asked for ROLLBACKS_MAX times at most", async () => {
    const desk = await openRollbackDesk({ steps: ["one"] });
    const inbox = { ...desk.stores.inbox, has: async () => true };
    const found = await listRollbacks("any", { ...desk.stores, inbox });
    expect(found).toHaveLength(ROLLBACKS_MAX);
  });
});
