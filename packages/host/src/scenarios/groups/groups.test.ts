import type { Policy } from "@turnseal/protocol";
import { needsAnswer, notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { findUnknown, openGroupDesk, THREE } from "../__fixtures__/group-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const ends = (record: { readonly members: readonly { readonly end: string }[] } | undefined) =>
  record?.members.map(({ end }) => end);

test("all members are claimed before the first acts, and act in order", async () => {
  const desk = await openGroupDesk();
  expect(await desk.drive()).toBe("goal-reached");
  expect(desk.done).toEqual([...THREE]);
  const claims = (await desk.events()).flatMap((event) => {
    if (event.type !== "action.claimed" || event.content.action !== "tool") return [];
    const { tool, held, supersedes } = event.content;
    return [`${tool}${held === undefined ? "" : " held"}${supersedes === undefined ? "" : " *"}`];
  });
  expect(claims).toEqual([
    ...["local.one held", "local.two held", "local.three held", "turnseal.group"],
    ...["local.one *", "local.two *", "local.three *"],
  ]);
  const [group] = await desk.groups();
  expect(group).toMatchObject({ path: "/flow", outcome: "all" });
  expect(ends(group)).toEqual(["done", "done", "done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("what was done is taken back in reverse when a member fails", async () => {
  const act = (at: string) => {
    if (at === "three") throw notDone("no room");
  };
  const desk = await openGroupDesk({ act });
  expect(await desk.drive()).toBe("failed");
  expect([...desk.world]).toEqual([]);
  expect([desk.done, desk.undone]).toEqual([
    ["one", "two"],
    ["two", "one"],
  ]);
  const [group] = await desk.groups();
  expect(group?.outcome).toBe("none");
  expect(ends(group)).toEqual(["taken-back", "taken-back", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("a member that needs an answer did nothing: a group asks no person", async () => {
  const act = (at: string) => {
    if (at === "three") throw needsAnswer({ question: "Which?", schema: { type: "object" } });
  };
  const desk = await openGroupDesk({ act });
  expect(await desk.drive()).toBe("failed");
  expect([...desk.world]).toEqual([]);
  expect(ends((await desk.groups())[0])).toEqual(["taken-back", "taken-back", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("a member that cannot be taken back leaves a part that a person is asked about", async () => {
  const act = (at: string) => {
    if (at === "three") throw notDone("no room");
  };
  const desk = await openGroupDesk({ act, final: ["one"] });
  expect(await desk.drive()).toBe("wait");
  const [request] = await desk.open().requests(desk.run);
  expect(request).toMatchObject({ kind: "question", loop: "turnseal.group-rest" });
  await desk.answer("put-right-by-hand");
  expect(await desk.drive()).toBe("effect-unknown");
  expect([...desk.world]).toEqual(["one"]);
  const [group] = await desk.groups();
  expect(group).toMatchObject({ outcome: "part", asked: expect.any(Number) });
  expect(ends(group)).toEqual(["done", "taken-back", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("nobody answers: it is closed as a part all the same, and named", async () => {
  const act = (at: string) => {
    if (at === "two") throw notDone("no room");
  };
  const desk = await openGroupDesk({ act, final: ["one"] });
  await desk.drive();
  desk.clock.advance(8 * 24 * 60 * 60 * 1_000);
  expect(await desk.drive()).toBe("effect-unknown");
  expect((await desk.groups())[0]?.outcome).toBe("part");
  expect(await desk.judge()).toEqual(sound);
});

test("a compensation that fails leaves a part; the others are tried", async () => {
  const act = (at: string) => {
    if (at === "three") throw notDone("no room");
  };
  const undo = (at: string) => {
    if (at === "two") throw notDone("locked");
  };
  const desk = await openGroupDesk({ act, undo });
  expect(await desk.finish()).toBe("effect-unknown");
  expect([...desk.world]).toEqual(["two"]);
  const [group] = await desk.groups();
  expect(ends(group)).toEqual(["taken-back", "done", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("an end that nobody knows takes nothing back, and a person is asked", async () => {
  const act = (at: string) => {
    if (at === "two") throw new Error("the line went dead");
  };
  const reconcile = async () => ({ kind: "unsure" }) as const;
  const desk = await openGroupDesk({ act, effect: "reconcile", reconcile });
  expect(await desk.drive()).toBe("wake");
  desk.clock.advance(10 * 60_000);
  expect(await desk.drive()).toBe("wait");
  expect(findUnknown(await desk.events())).toBeDefined();
  expect(await desk.finish()).toBe("effect-unknown");
  expect(desk.undone).toEqual([]);
  const [group] = await desk.groups();
  expect(group?.outcome).toBe("part");
  expect(ends(group)).toEqual(["done", "unknown", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("a member whose output is refused has failed, and is taken back with the others", async () => {
  const desk = await openGroupDesk({ act: (at) => (at === "three" ? { nothing: at } : undefined) });
  expect(await desk.finish()).toBe("failed");
  const [group] = await desk.groups();
  expect(group?.outcome).toBe("none");
  expect(desk.undone).toEqual([undefined, "two", "one"]);
  expect(await desk.judge()).toEqual(sound);
});

const asking = (onReject: "stop" | "tell" = "stop"): Policy => ({
  name: "two is asked for",
  rules: [
    { id: "two", tools: ["local.two"], decision: "ask", onReject },
    { id: "rest", decision: "allow" },
  ],
});

test("one card for all, where the rules ask for any of them", async () => {
  const desk = await openGroupDesk({ policy: asking() });
  expect(await desk.drive()).toBe("wait");
  expect(desk.done).toEqual([]);
  const requests = await desk.open().requests(desk.run);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ kind: "approval", name: "turnseal.group" });
  await desk.approve();
  expect(await desk.drive()).toBe("goal-reached");
  expect(desk.done).toEqual([...THREE]);
  expect(await desk.judge()).toEqual(sound);
});

test("a no is a no to all", async () => {
  const desk = await openGroupDesk({ policy: asking() });
  await desk.drive();
  await desk.approve("reject");
  expect(await desk.drive()).toBe("approval-rejected");
  expect([desk.done, desk.undone]).toEqual([[], []]);
  const [group] = await desk.groups();
  expect(group?.outcome).toBe("none");
  expect(ends(group)).toEqual(["not-done", "not-done", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("a budget that has no room for one of them lets none act", async () => {
  const budget = { toolCalls: 90, effects: 5, turns: 20 };
  const desk = await openGroupDesk({ grant: { budget } });
  expect(await desk.drive()).toBe("budget-exhausted");
  expect(desk.done).toEqual([]);
  expect(ends((await desk.groups())[0])).toEqual(["not-done", "not-done"]);
  expect(await desk.judge()).toEqual(sound);
});

test("a cancel before the commit undoes nothing, since nothing was done", async () => {
  const desk = await openGroupDesk({ policy: asking() });
  await desk.drive();
  await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
  expect(await desk.drive()).toBe("cancelled");
  expect(desk.done).toEqual([]);
  expect((await desk.groups())[0]?.outcome).toBe("none");
  expect(await desk.judge()).toEqual(sound);
});

test("a cancel after the commit is heard, and waits for the end of the group", async () => {
  let cancel: (() => Promise<unknown>) | undefined;
  const act = async (at: string) => {
    if (at === "two") await cancel?.();
  };
  const desk = await openGroupDesk({ act });
  cancel = async () => {
    await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
    desk.clock.advance(2_000);
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  };
  await desk.drive();
  expect(desk.done).toEqual([...THREE]);
  const types = (await desk.events()).map(({ type }) => type);
  expect(types.indexOf("signal.received")).toBeGreaterThan(0);
  expect(types.indexOf("signal.received")).toBeLessThan(types.indexOf("group.closed"));
  expect((await desk.groups())[0]?.outcome).toBe("all");
  expect(await desk.judge()).toEqual(sound);
});

test("a tool that acts once is no member", async () => {
  // The rule is group-member.
  await expect(openGroupDesk({ effect: "once" })).rejects.toThrow(
    "/composite/flow/nodes/0/loopId one cannot be held in a group: its effect is once",
  );
});

test("the grant has to name the group", async () => {
  const desk = await openGroupDesk({ grant: { tools: THREE.map((at) => `local.${at}`) } });
  expect(await desk.drive()).toBe("denied");
  expect(desk.done).toEqual([]);
  expect((await desk.groups())[0]?.outcome).toBe("none");
  expect(await desk.judge()).toEqual(sound);
});
