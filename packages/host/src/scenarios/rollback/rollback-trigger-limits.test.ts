// An automatic rollback happens once, with any number of crashes and looks; it happens if it can,
// and gives nobody more than a manual one.
import { type FileRoot, manualClock, memoryStores, type Roots, type Stores } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema, notDone, type RollbackCause } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createRunClient } from "../../local/run-client.ts";
import { readRun } from "../../state/read-run.ts";
import { listRollbacks } from "../../undo/find/rollback-chain.ts";
import { findRollbackCause } from "../../undo/run/trigger-rollback.ts";
import { dieAt } from "../__fixtures__/die-at.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import {
  openRollbackDesk,
  type RollbackDesk,
  type RollbackDeskOptions,
} from "../__fixtures__/rollback-desk.ts";

const rollbackOn: readonly RollbackCause[] = ["failed", "cancelled", "approval-rejected"];
const failsAt = (bad: string): RollbackDeskOptions => ({
  ...{ steps: ["one", "two", "three"], rollbackOn },
  act: (at) => {
    if (at === bad) throw notDone("no such place");
  },
});
const listAsked = (desk: RollbackDesk) => listRollbacks(desk.run, desk.stores);

const readTriggerOf = (desk: RollbackDesk) => desk.open().triggered(desk.run);

/** A run that a rule ends: of what fails after a crash a person might have to say more. */
const denied: RollbackDeskOptions = {
  ...{ steps: ["one", "two", "three"], final: ["three"], rollbackOn: ["denied"] },
  policy: {
    name: "desk",
    rules: [
      { id: "third", decision: "deny", tools: ["local.final"] },
      { id: "rest", decision: "allow" },
    ],
  },
};

describe("it is one", () => {
  test.each(["before", "after"] as const)("%s any append at which a worker dies", async (when) => {
    let unbegun = 0;
    for (let place = 1; ; place++) {
      const what = `${when} append ${place}`;
      const desk = await openRollbackDesk(denied);
      const { see, hasDied } = dieAt(place, when);
      await desk.drive(desk.run);
      await desk.approve(desk.run);
      await desk.drive(desk.run, see).catch(() => {});
      const isStopped = (await readRun(desk.stores, desk.run))?.stopped === "denied";
      if (isStopped && (await listAsked(desk)).length === 0) unbegun += 1;
      expect(await desk.drive(desk.run), what).toBe("denied");
      const [asked, ...others] = await listAsked(desk);
      expect([asked?.projection?.stopped, others], what).toEqual([null, []]);
      await desk.approve(asked?.run ?? "");
      await desk.drive(asked?.run ?? "");
      expect([...desk.world], what).toEqual([]);
      expect(desk.undone, what).toEqual(["two", "one"]);
      if (!hasDied()) break;
    }
    // One of them died between the stop and the asking.
    expect(unbegun).toBe(when === "after" ? 1 : 0);
  });

  test("where two ask at once, and where a person asks in other words", async () => {
    const desk = await openRollbackDesk(failsAt("three"));
    await desk.drive(desk.run);
    await desk.approve(desk.run);
    // It stops, and nobody begins with what it asks for.
    await desk.open().advance(desk.run);
    const [unbegun] = await listAsked(desk);
    expect(unbegun?.projection).toBeUndefined();
    const host = desk.open();
    expect(await host.rollback(desk.run, { by: "eve" })).toMatchObject({
      ...{ kind: "known", rollback: { run: unbegun?.run, head: { toTurn: 0 } } },
    });
    expect(await host.rollback(desk.run, { by: "eve", toTurn: 1 })).toMatchObject({
      kind: "nothing",
    });
    // Without leases, neither waits for the other.
    const alone = ({ leases: _, ...stores }: Stores): Stores => stores;
    const driveAlone = () => desk.drive(desk.run, alone).catch(() => {});
    await Promise.all([driveAlone(), driveAlone()]);
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toMatchObject([{ run: unbegun?.run }]);
  });
});

describe("it is asked for where it can be", () => {
  test("a run that did nothing asks for none, and says so", async () => {
    const desk = await openRollbackDesk(failsAt("one"));
    expect(await desk.work()).toBe("failed");
    expect(await listAsked(desk)).toEqual([]);
    expect(await readTriggerOf(desk)).toEqual({ cause: "failed", kind: "nothing" });
  });

  test("it waits for a person's word on an action that nobody knows the end of", async () => {
    const act = (at: string) => {
      if (at === "three") throw new Error("the line is dead");
    };
    const desk = await openRollbackDesk({ ...failsAt("none"), act, effect: "once" });
    expect(await desk.work()).toBe("wait");
    await desk.open().cancel(desk.run, { key: "no", by: "ada" });
    expect(await desk.drive(desk.run)).toBe("cancelled");
    expect(await listAsked(desk)).toEqual([]);
    expect(await readTriggerOf(desk)).toMatchObject({
      ...{ cause: "cancelled", kind: "refused" },
      message: expect.stringContaining("it is not known whether local.work in turn 1"),
    });
    const [unknown] = (await readRun(desk.stores, desk.run))?.unknownEnds ?? [];
    const by = { id: "bea", roles: [] };
    const key = unknown?.key ?? "";
    await desk.open().resolve(desk.run, { key, resolution: "never", by });
    expect(await readTriggerOf(desk)).toEqual({ cause: "cancelled", kind: "owed" });
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toMatchObject([{ projection: { stopped: null } }]);
  });

  test("a grant that has expired keeps it from being asked for, which is said", async () => {
    const clock = manualClock();
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const rules: Policy["rules"] = [
      { id: "third", decision: "ask", tools: ["local.final"] },
      { id: "rest", decision: "allow" },
    ];
    const desk = await openRollbackDesk({
      ...{ ...denied, rollbackOn, policy: { name: "desk", rules }, grant: { expiresAt } },
      ...{ beside: { clock, stores: memoryStores(clock) } },
    });
    expect(await desk.work()).toBe("wait");
    clock.advance(60_001);
    await desk.open().cancel(desk.run, { key: "no", by: "ada" });
    expect(await desk.drive(desk.run)).toBe("cancelled");
    expect([...desk.world]).toEqual(["one", "two"]);
    expect(await listAsked(desk)).toEqual([]);
    expect(await readTriggerOf(desk)).toMatchObject({
      ...{ cause: "cancelled", kind: "refused" },
      message: expect.stringContaining(`the run's grant expired at ${expiresAt}`),
    });
  });

  test("rules that were erased keep it from being asked for, which is said", async () => {
    const act = (at: string): void => {
      if (at === "three") throw new Error("dead line");
    };
    const policy: Policy = { name: "all", rules: [{ id: "all", decision: "allow" }] };
    const options = { ...failsAt("none"), handed: ["one"], act, policy };
    const desk = await openRollbackDesk({ ...options, effect: "once" });
    expect(await desk.work()).toBe("wait");
    await desk.open().cancel(desk.run, { key: "no", by: "ada" });
    await desk.drive(desk.run);
    const [unknown] = (await readRun(desk.stores, desk.run))?.unknownEnds ?? [];
    const by = { id: "bea", roles: [] };
    const key = unknown?.key ?? "";
    await desk.open().resolve(desk.run, { key, resolution: "never", by });
    await desk.stores.blobs.erase(desk.run);
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toEqual([]);
    expect(await readTriggerOf(desk)).toMatchObject({
      ...{ cause: "cancelled", kind: "refused" },
      message: expect.stringContaining("the rules of the run were erased"),
    });
  });

  test("a run that was handed to asks for none: the one above takes it back", async () => {
    const desk = await openRollbackDesk({ ...failsAt("three"), handed: ["two"] });
    expect(await desk.work()).toBe("failed");
    const [asked] = await listAsked(desk);
    await desk.approve(asked?.run ?? "");
    await desk.drive(asked?.run ?? "");
    expect(desk.undone).toEqual(["two", "one"]);
    const projection = await readRun(desk.stores, desk.run);
    if (projection?.spec == null) throw new Error("no run");
    expect(await findRollbackCause(projection, desk.stores)).toBe("failed");
    const parent = { run: "above", turn: 1, sequence: 1, hash: "" };
    const below = { ...projection, spec: { ...projection.spec, parent } };
    expect(await findRollbackCause(below, desk.stores)).toBeUndefined();
  });

  test("a rollback that is rejected, or fails, asks for none of its own", async () => {
    const desk = await openRollbackDesk(failsAt("three"));
    await desk.work();
    const [asked] = await listAsked(desk);
    const rollback = asked?.run ?? "";
    await desk.approve(rollback, "reject");
    expect(await desk.drive(rollback)).toBe("approval-rejected");
    expect(await listRollbacks(rollback, desk.stores)).toEqual([]);
    // The run's own is not repeated either: a person has rejected it.
    await desk.drive(desk.run);
    expect(await listAsked(desk)).toHaveLength(1);
  });
});

describe("nobody gets more by it than by asking", () => {
  test("whoever has started the run is excluded where a rule says so", async () => {
    const policy: Policy = {
      name: "two pairs of eyes",
      rules: [
        { id: "plans", decision: "ask", tools: ["turnseal.plan"], exclude: ["starter"] },
        { id: "rest", decision: "allow" },
      ],
    };
    const desk = await openRollbackDesk({ ...failsAt("three"), policy });
    await desk.work();
    const [asked] = await listAsked(desk);
    const rollback = asked?.run ?? "";
    const host = desk.open();
    const [request] = await host.requests(rollback);
    const ada = { choice: "approve", by: { id: "ada", roles: [] } } as const;
    await host.decide(rollback, request?.id ?? "", ada).catch(() => {});
    expect(await desk.drive(rollback)).toBe("wait");
    expect(desk.undone).toEqual([]);
    await desk.approve(rollback);
    expect(await desk.drive(rollback)).toBe("goal-reached");
  });

  test("rules that allow everything let it wait all the same", async () => {
    const policy: Policy = { name: "all", rules: [{ id: "all", decision: "allow" }] };
    const desk = await openRollbackDesk({ ...failsAt("three"), policy });
    await desk.work();
    const [asked] = await listAsked(desk);
    expect(await desk.drive(asked?.run ?? "")).toBe("wait");
    expect(desk.undone).toEqual([]);
  });

  test("the same run of another tenant has none", async () => {
    const [ours, theirs] = [
      await openRollbackDesk(failsAt("three")),
      await openRollbackDesk({ ...failsAt("none") }),
    ];
    expect(theirs.run).toBe(ours.run);
    await ours.work();
    await theirs.work();
    expect(await listAsked(ours)).toHaveLength(1);
    expect(await listAsked(theirs)).toEqual([]);
  });
});

test("it is asked for where the files cannot be read, each of which is named", async () => {
  const site = openKeyedRoot("site");
  let isSick = false;
  const roots: Roots = {
    site: (key) => {
      const root = site.roots["site"]?.(key) ?? site.root;
      const read: FileRoot["read"] = (path, ...rest) =>
        isSick ? Promise.reject(new Error("EIO: i/o error, read")) : root.read(path, ...rest);
      return { ...root, read };
    },
  };
  const options = { ...failsAt("three"), edited: ["one"], roots };
  const act = (at: string): void => {
    isSick = at === "three";
    options.act?.(at);
  };
  const desk = await openRollbackDesk({ ...options, act });
  expect(await desk.work()).toBe("failed");
  expect(await desk.drive(desk.run)).toBe("failed");
  const [asked, ...others] = await listAsked(desk);
  const drifted = ["one.txt", "shared.txt"].map((path) => ({ root: "site", path }));
  expect([asked?.head?.drifted, others]).toEqual([drifted, []]);
  // The named lacks bind nothing.
  isSick = false;
  await desk.approve(asked?.run ?? "");
  expect(await desk.drive(asked?.run ?? "")).toBe("goal-reached");
  expect(await site.texts()).toEqual({});
});

test("a cause that there is not is refused, with those that there are", async () => {
  const stores = memoryStores(manualClock());
  const make = (policy?: object) =>
    defineTool({
      ...{ id: "work", version: "1.0.0", effect: "read" },
      input: jsonSchema<unknown>(true),
      output: jsonSchema<unknown>(true),
      run: () => null,
      ...(policy === undefined ? {} : { policy: policy as never }),
    });
  const bad = make({ rollbackOn: ["failure"] });
  const names = /rollbackOn.* list of different ones of .*denied.*cancelled.*failed.*group/;
  expect(() => createRunClient({ loops: [bad], stores })).toThrow(names);
  const client = createRunClient({ loops: [make()], stores });
  const start = client.start(make(), null, {
    grant: { grantor: "ada", tools: [], budget: { turns: 1 } },
    bounds: { rollbackOn: ["failed", "failed"] },
  });
  await expect(start).rejects.toThrow(names);
});
