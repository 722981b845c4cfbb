// The one rollback that a run asks for by itself is not used up by a worker that has only some of
// what takes back; and to look at a run that cannot have it asked for costs little.
import { manualClock, memoryStores, type Stores } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { createRunClient } from "../../local/run-client.ts";
import { readRun } from "../../state/read-run.ts";
import { listRollbacks } from "../../undo/find/rollback-chain.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import {
  openRollbackDesk,
  type RollbackDesk,
  type RollbackDeskOptions,
} from "../__fixtures__/rollback-desk.ts";

const rules: Policy["rules"] = [
  { id: "last", decision: "ask", tools: ["local.final"] },
  { id: "rest", decision: "allow" },
];
const options: RollbackDeskOptions = {
  ...{ steps: ["one", "two", "last"], final: ["last"], rollbackOn: ["cancelled"] },
  policy: { name: "desk", rules },
};

const listAsked = (desk: RollbackDesk) => listRollbacks(desk.run, desk.stores);

/** A run that has done two steps, and is to end: nobody has looked since. */
async function cancelLast(wanted: RollbackDeskOptions): Promise<RollbackDesk> {
  const desk = await openRollbackDesk(wanted);
  expect(await desk.work()).toBe("wait");
  await desk.open().cancel(desk.run, { key: "no", by: "ada" });
  return desk;
}

describe("a worker with some of what takes back", () => {
  const lacks = { tool: "local.work", loop: "work.undo", version: "1.0.0" };

  test("asks for nothing, and one that has all of it does", async () => {
    const { roots } = openKeyedRoot("site");
    const wanted = { ...options, edited: ["two"], roots };
    const desk = await cancelLast(wanted);
    const half = await openRollbackDesk({ ...wanted, beside: desk, way: { build: "undo-2" } });
    expect(half.run).toBe(desk.run);
    expect(await half.drive(desk.run)).toBe("cancelled");
    await half.drive(desk.run);
    expect(await listAsked(desk)).toEqual([]);
    expect(await half.open().triggered(desk.run)).toEqual({
      ...{ cause: "cancelled", kind: "owed" },
      lacks: [{ ...lacks, why: "compensation-changed" }],
    });
    expect(await desk.open().triggered(desk.run)).toEqual({ cause: "cancelled", kind: "owed" });
    await desk.drive(desk.run);
    const [asked] = await listAsked(desk);
    expect(asked?.head?.left).toEqual([]);
    await desk.approve(asked?.run ?? "");
    expect(await desk.drive(asked?.run ?? "")).toBe("goal-reached");
    expect(desk.undone).toEqual(["one"]);
  });

  test("or with none says that it is owed, until a person asks and leaves it", async () => {
    const { roots } = openKeyedRoot("site");
    const wanted = { ...options, edited: ["two"], roots };
    const desk = await cancelLast(wanted);
    const { stores, clock } = desk;
    const none = createRunClient({ loops: [], stores, clock });
    await desk.drive(desk.run, breakTelling).catch(() => {});
    expect((await readRun(stores, desk.run))?.stopped).toBe("cancelled");
    const answer = await none.triggered(desk.run);
    expect(answer).toMatchObject({
      ...{ kind: "owed" },
      lacks: [
        { tool: "local.edit", why: "compensation-missing" },
        { ...lacks, why: "compensation-missing" },
      ],
    });
    const half = await openRollbackDesk({ ...wanted, beside: desk, way: { build: "undo-2" } });
    expect(await half.open().rollback(desk.run, { by: "eve" })).toMatchObject({
      ...{ kind: "proposed", list: { left: [{ why: "compensation-changed" }] } },
    });
    expect(await desk.open().triggered(desk.run)).toMatchObject({ kind: "asked" });
  });

  test("asks where no worker could take more back", async () => {
    const desk = await cancelLast({ ...options, silent: ["two"] });
    await desk.drive(desk.run);
    expect((await listAsked(desk))[0]?.head?.left).toMatchObject([{ why: "undeclared" }]);
    const erased = await cancelLast({ ...options, handed: ["two"] });
    await erased.drive(erased.run, breakTelling).catch(() => {});
    const wanted = { ...options, handed: ["two"], beside: erased, way: { build: "undo-2" } };
    const half = await openRollbackDesk(wanted);
    expect(await half.open().triggered(erased.run)).toMatchObject({ kind: "owed" });
    await erased.stores.blobs.erase(erased.run);
    const [below] = (await erased.events(erased.run)).flatMap(({ type, content }) =>
      type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
    );
    await erased.stores.blobs.erase(below ?? "");
    expect(await half.open().triggered(erased.run)).toMatchObject({ kind: "nothing" });
  });
});

/** Makes every message to another run fail. */
function breakTelling(stores: Stores): Stores {
  const put = () => Promise.reject(new Error("dead"));
  return { ...stores, inbox: { ...stores.inbox, put } };
}

/** Counts the events that are read, and the pages of the list of all runs. */
function openCount() {
  const count = { events: 0, lists: 0 };
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      read: async (...asked) => {
        const read = await stores.log.read(...asked);
        count.events += read.length;
        return read;
      },
    },
    runs: {
      ...stores.runs,
      list: (...asked) => {
        count.lists += 1;
        return stores.runs.list(...asked);
      },
    },
  });
  return { count, see };
}

describe("a look at a run that cannot have it asked for", () => {
  const looks = 5;

  async function lookAgain(desk: RollbackDesk) {
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toEqual([]);
    const { count, see } = openCount();
    for (let look = 0; look < looks; look++)
      expect(await desk.drive(desk.run, see)).toBe("cancelled");
    expect(await listAsked(desk)).toEqual([]);
    // Each look takes the run, and reads the last event for it.
    const events = count.events - looks;
    const length = (await readRun(desk.stores, desk.run))?.sequence ?? 0;
    return { events, lists: count.lists, length };
  }

  test("reads nothing of it where its grant has expired", async () => {
    const clock = manualClock();
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const beside = { clock, stores: memoryStores(clock) };
    const desk = await cancelLast({ ...options, grant: { expiresAt }, beside });
    clock.advance(60_001);
    expect(await lookAgain(desk)).toMatchObject({ events: 0, lists: 0 });
    expect(await desk.open().triggered(desk.run)).toMatchObject({
      message: expect.stringContaining("the run's grant expired"),
    });
  });

  test("nor where it is not known what became of an action", async () => {
    const act = (at: string): void => {
      if (at === "two") throw new Error("the line is dead");
    };
    const desk = await cancelLast({ ...options, act, effect: "once" });
    expect(await lookAgain(desk)).toMatchObject({ events: 0, lists: 0 });
    expect(await desk.open().triggered(desk.run)).toMatchObject({
      message: expect.stringContaining("it is not known whether local.work"),
    });
  });

  test("reads it once where nothing can be taken back, or not here", async () => {
    const { roots } = openKeyedRoot("site");
    const idle = await cancelLast({ ...options, silent: ["one", "two"] });
    const wanted = { ...options, edited: ["two"], roots };
    const desk = await cancelLast(wanted);
    const half = await openRollbackDesk({ ...wanted, beside: desk, way: { build: "undo-2" } });
    for (const each of [idle, half]) {
      const { events, lists, length } = await lookAgain(each);
      expect(events).toBeLessThanOrEqual(looks * length);
      expect(lists).toBe(0);
    }
  });
});
