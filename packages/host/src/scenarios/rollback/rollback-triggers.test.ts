// A run that stops for a named cause starts its rollback by itself: through a real host, each step
// by a process that only has the log.
import type { Policy } from "@turnseal/protocol";
import { notDone, ROLLBACK_CAUSES, type RollbackCause } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { readRun } from "../../state/read-run.ts";
import { listRollbacks } from "../../undo/find/rollback-chain.ts";
import { findRollbackCause } from "../../undo/run/trigger-rollback.ts";
import { openGroupDesk } from "../__fixtures__/group-desk.ts";
import {
  openRollbackDesk,
  type RollbackDesk,
  type RollbackDeskOptions,
} from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const steps = ["one", "two", "three"];
const bea = { by: { id: "bea", roles: [] } };

const failsAt = (bad: string): Pick<RollbackDeskOptions, "act"> => ({
  act: (at) => {
    if (at === bad) throw notDone("no such place");
  },
});

/** Rules for the third step, which is of a tool of its own. */
const rulesFor = (decision: "ask" | "deny"): Policy => ({
  name: "desk",
  rules: [
    { id: "third", decision, tools: ["local.final"] },
    { id: "rest", decision: "allow" },
  ],
});

const listAsked = async (desk: RollbackDesk) => listRollbacks(desk.run, desk.stores);

interface Scene {
  readonly options: RollbackDeskOptions;
  /** The steps after the plan was approved. */
  readonly later?: (desk: RollbackDesk) => Promise<unknown>;
}

const reject = async (desk: RollbackDesk) => desk.approve(desk.run, "reject");
const scenes: Partial<Record<RollbackCause, Scene>> = {
  failed: { options: failsAt("three") },
  denied: { options: { final: ["three"], policy: rulesFor("deny") } },
  "approval-rejected": {
    ...{ options: { final: ["three"], policy: rulesFor("ask") }, later: reject },
  },
  "approval-expired": {
    options: { final: ["three"], policy: rulesFor("ask") },
    later: async ({ clock }) => clock.advance(8 * 24 * 60 * 60 * 1000),
  },
  cancelled: {
    options: { final: ["three"], policy: rulesFor("ask") },
    later: async (desk) => desk.open().cancel(desk.run, { key: "no", by: "eve" }),
  },
};

async function stop({ options, later }: Scene, rollbackOn: readonly RollbackCause[]) {
  const desk = await openRollbackDesk({ ...{ steps, rollbackOn }, ...options });
  let end = await desk.work();
  await later?.(desk);
  if (later !== undefined) end = await desk.drive(desk.run);
  return { desk, end };
}

describe.each(Object.entries(scenes))("a run that stops as %s", (cause, scene) => {
  test("asks for its rollback, which waits for people and then takes it back", async () => {
    const { desk, end } = await stop(scene, [cause as RollbackCause]);
    expect(end).toBe(cause);
    const [asked, ...others] = await listAsked(desk);
    expect(others).toEqual([]);
    const rollback = asked?.run ?? "";
    // It has come to where it waits: nobody has to begin with it.
    expect(asked?.projection).toMatchObject({
      ...{ stopped: null, startedBy: { kind: "person", id: "ada" } },
      spec: { grant: { grantor: "ada", budget: { effects: 2, toolCalls: 2, turns: 1 } } },
    });
    expect(desk.undone).toEqual([]);
    const [request] = await desk.open().requests(rollback);
    expect(request).toMatchObject({ name: "turnseal.plan" });
    // A manual request, by any person, names the same one.
    expect(await desk.open().rollback(desk.run, { by: "eve" })).toMatchObject({
      ...{ kind: "known", rollback: { run: rollback } },
    });
    await desk.approve(rollback);
    expect(await desk.drive(rollback)).toBe("goal-reached");
    expect(desk.undone).toEqual(["two", "one"]);
    expect(await desk.judge(rollback)).toEqual(sound);
    expect(await desk.judge(desk.run)).toEqual(sound);
    // And that was all: another look at the run starts nothing.
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toHaveLength(1);
  });

  test("asks for none where it names other causes", async () => {
    const others = ROLLBACK_CAUSES.filter((other) => other !== cause);
    const { desk, end } = await stop(scene, others);
    expect(end).toBe(cause);
    expect(await listAsked(desk)).toEqual([]);
  });
});

describe("a group that does not end as all", () => {
  const failing = {
    act: (at: string) => {
      if (at === "three") throw notDone("no room");
    },
  };

  test("has a part of it that was left asked for, once a person has said what stays", async () => {
    let isLocked = true;
    const undo = (at: string) => {
      if (at === "one" && isLocked) throw notDone("locked");
    };
    const desk = await openGroupDesk({ ...failing, undo, rollbackOn: ["group"] });
    expect(await desk.finish()).toBe("effect-unknown");
    expect((await desk.groups())[0]?.outcome).toBe("part");
    expect([...desk.world]).toEqual(["one"]);
    isLocked = false;
    const [asked] = await listRollbacks(desk.run, desk.stores);
    const rollback = asked?.run ?? "";
    await desk.open().drive(rollback);
    const host = desk.open();
    const [request] = await host.requests(rollback);
    await host.decide(rollback, request?.id ?? "", { choice: "approve", ...bea });
    await host.drive(rollback);
    expect([...desk.world]).toEqual([]);
  });

  test("and has taken itself back leaves nothing to ask for, which is said", async () => {
    const desk = await openGroupDesk({ ...failing, rollbackOn: ["group"] });
    expect(await desk.drive()).toBe("failed");
    expect((await desk.groups())[0]?.outcome).toBe("none");
    expect(await listRollbacks(desk.run, desk.stores)).toEqual([]);
    expect(await desk.open().triggered(desk.run)).toEqual({ cause: "group", kind: "nothing" });
    // A flow that tolerates it and reaches its goal needs no rollback.
    const failed = await readRun(desk.stores, desk.run);
    if (failed === undefined) throw new Error("no run");
    const borne = { ...failed, stopped: "goal-reached" } as const;
    expect(await findRollbackCause(borne, desk.stores)).toBeUndefined();
  });

  test("is no cause where all was done", async () => {
    const desk = await openGroupDesk({ rollbackOn: ["group", "failed"] });
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.open().triggered(desk.run)).toBeUndefined();
  });
});
