/**
 * A plan that fails at each of its steps, and a rollback in processes that die at every append:
 * each action is undone once, and in reverse.
 */
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { dieAt } from "../__fixtures__/die-at.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import { openRollbackDesk, TEN } from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const by = { by: "ada" };
/** Steps that change files: one of their own, and a shared one. */
const edited = ["step2", "step5", "step6", "step9"];

test.each(TEN.map((at, index) => [index, at] as const))(
  "a plan that fails after %i steps, at %s, is taken back whole",
  async (done, bad) => {
    const act = (at: string) => {
      if (at === bad) throw notDone("no such place");
    };
    const site = openKeyedRoot("site");
    site.put("theirs.txt", "theirs");
    const { roots } = site;
    const desk = await openRollbackDesk({ act, final: ["step3"], edited, roots });
    expect(await desk.work()).toBe("failed");
    const before = TEN.slice(0, done);
    const outside = before.filter((at) => !edited.includes(at));
    expect([...desk.world]).toEqual(outside);
    const wanted = outside.filter((at) => at !== "step3").toReversed();
    const answer = await desk.open().rollback(desk.run, by);
    // A failed step has changed its files by then.
    const touched = before.length + (edited.includes(bad) ? 1 : 0);
    if (touched === 0) expect(answer).toMatchObject({ kind: "nothing" });
    else expect(answer.kind).toBe("proposed");
    if (answer.kind !== "proposed") return;
    expect(answer.list.left.map(({ why }) => why)).toEqual(done > 2 ? ["irreversible"] : []);
    await desk.drive(answer.run);
    await desk.approve(answer.run);
    expect(await desk.drive(answer.run)).toBe("goal-reached");
    expect(desk.undone).toEqual(wanted);
    expect([...desk.world]).toEqual(done > 2 ? ["step3"] : []);
    expect(await site.texts()).toEqual({ "theirs.txt": "theirs" });
    expect(await desk.judge(answer.run)).toEqual(sound);
  },
);

test.each(["before", "after"] as const)(
  "a process that dies %s any append of a rollback",
  async (when) => {
    let places = 0;
    for (let place = 1; ; place++) {
      const what = `${when} append ${place}`;
      const site = openKeyedRoot("site");
      const desk = await openRollbackDesk({
        ...{ steps: ["one", "two", "file", "three", "again"], handed: ["two"] },
        ...{ edited: ["file", "again"], roots: site.roots },
      });
      await desk.work();
      const answer = await desk.open().rollback(desk.run, by);
      if (answer.kind !== "proposed") throw new Error(answer.kind);
      const { run } = answer;
      const { see, hasDied } = dieAt(place, when);
      await desk.drive(run, see).catch(() => {});
      if (!hasDied()) {
        await desk.approve(run);
        await desk.drive(run, see).catch(() => {});
      }
      if (!hasDied()) break;
      places += 1;
      if ((await desk.drive(run)) === "wait") {
        await desk.approve(run);
        await desk.drive(run);
      }
      expect((await desk.open().show(run))?.stopped, what).toBe("goal-reached");
      expect(desk.undone, what).toEqual(["three", "two", "one"]);
      expect([...desk.world], what).toEqual([]);
      expect(await site.texts(), what).toEqual({});
      expect(await desk.judge(run), what).toEqual(sound);
      expect(await desk.open().rollback(desk.run, by), what).toMatchObject({ kind: "known" });
    }
    expect(places).toBeGreaterThan(8);
  },
);
