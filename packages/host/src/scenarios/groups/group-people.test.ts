// A person who may not commit a group may not answer for its members later either, neither on an
// unknown end nor on a remaining part.
import type { LoopEvent, Policy } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { findUnknown, type GroupDesk, openGroupDesk } from "../__fixtures__/group-desk.ts";

const sound = { codes: [], replays: ["identical"] };

/** A manager who did not start the run decides. */
const policy: Policy = {
  name: "two is asked for",
  rules: [
    {
      ...{ id: "two", tools: ["local.two"], decision: "ask" },
      ...{ role: "manager", exclude: ["starter"] },
    },
    { id: "rest", decision: "allow" },
  ],
};

const starter = { id: "ada", roles: ["manager"] };
const clerk = { id: "bea", roles: ["clerk"] };
const manager = { id: "cal", roles: ["manager"] };

async function commit(desk: GroupDesk): Promise<void> {
  expect(await desk.drive()).toBe("wait");
  const host = desk.open();
  const [request] = await host.requests(desk.run);
  await host.decide(desk.run, request?.id ?? "", { choice: "approve", by: manager });
}

/** Puts an answer directly into the inbox, past the host that would refuse it. */
async function force(desk: GroupDesk, kind: string, body: object): Promise<readonly LoopEvent[]> {
  const { stores, run } = desk;
  await stores.inbox.put({ run, key: `forced ${kind}`, kind, body } as never);
  await desk.drive();
  return desk.events();
}

describe("of a member that nobody knows the end of", () => {
  const open = async () => {
    const desk = await openGroupDesk({
      ...{ policy, effect: "reconcile" },
      act: (at) => {
        if (at === "two") throw new Error("the line went dead");
      },
      reconcile: async () => ({ kind: "unsure" }),
    });
    await commit(desk);
    expect(await desk.drive()).toBe("wake");
    desk.clock.advance(10 * 60_000);
    expect(await desk.drive()).toBe("wait");
    return { desk, key: findUnknown(await desk.events()) ?? "" };
  };

  test.each([
    ["without the role", clerk, "ROLE_MISSING"],
    ["who is excluded", starter, "PERSON_EXCLUDED"],
  ])("somebody %s says nothing", async (_, by, code) => {
    const { desk, key } = await open();
    const said = desk.open().resolve(desk.run, { key, resolution: "happened", by });
    await expect(said).rejects.toMatchObject({ code });
    const claim = (await desk.events()).findLast(
      (event) => event.type === "action.claimed" && event.content.key === key,
    );
    const body = { key, claimHash: claim?.hash, resolution: "happened", by };
    const events = await force(desk, "resolve", body);
    expect(events.filter(({ type }) => type === "signal.received")).toHaveLength(1);
    expect(findUnknown(events)).toBe(key);
  });

  test("whoever could commit says it, and the run verifies", async () => {
    const { desk, key } = await open();
    const said = { key, resolution: "happened", result: { put: "two" }, by: manager } as const;
    await desk.open().resolve(desk.run, said);
    expect(await desk.drive()).toBe("goal-reached");
    expect((await desk.groups())[0]?.outcome).toBe("all");
    expect(await desk.judge()).toEqual(sound);
  });
});

test("of a compensation that nobody knows the end of, they are asked as well", async () => {
  const desk = await openGroupDesk({
    ...{ policy, way: { effect: "once" } },
    act: (at) => {
      if (at === "three") throw notDone("no room");
    },
    undo: (at) => {
      if (at === "two") throw new Error("the line went dead");
    },
  });
  await commit(desk);
  expect(await desk.drive()).toBe("wait");
  const key = findUnknown(await desk.events()) ?? "";
  const say = (by: typeof clerk) =>
    desk.open().resolve(desk.run, { key, resolution: "happened", by });
  await expect(say(clerk)).rejects.toMatchObject({ code: "ROLE_MISSING" });
  await expect(say(starter)).rejects.toMatchObject({ code: "PERSON_EXCLUDED" });
  await say(manager);
  expect(await desk.drive()).toBe("failed");
  expect((await desk.groups())[0]?.outcome).toBe("none");
  expect(await desk.judge()).toEqual(sound);
});

describe("of a part", () => {
  const open = async () => {
    const act = (at: string) => {
      if (at === "three") throw notDone("no room");
    };
    const desk = await openGroupDesk({ policy, act, final: ["one"] });
    await commit(desk);
    expect(await desk.drive()).toBe("wait");
    const [request] = await desk.open().requests(desk.run);
    expect(request).toMatchObject({ loop: "turnseal.group-rest", role: "manager" });
    return { desk, request };
  };

  test.each([
    ["without the role", clerk, "ROLE_MISSING"],
    ["who is excluded", starter, "PERSON_EXCLUDED"],
  ])("somebody %s says nothing", async (_, by, code) => {
    const { desk, request } = await open();
    const answer = { rest: "stays" };
    const said = desk.open().answer(desk.run, request?.id ?? "", { answer, by });
    await expect(said).rejects.toMatchObject({ code });
    const events = await force(desk, "answer", { question: request?.hash, answer, by });
    expect(events.filter(({ type }) => type === "question.answered")).toEqual([]);
    expect(events.filter(({ type }) => type === "signal.received")).toHaveLength(1);
  });

  test("whoever could commit says it, and the run verifies", async () => {
    const { desk, request } = await open();
    const said = { answer: { rest: "stays" }, by: manager };
    await desk.open().answer(desk.run, request?.id ?? "", said);
    expect(await desk.drive()).toBe("effect-unknown");
    expect((await desk.groups())[0]?.outcome).toBe("part");
    expect(await desk.judge()).toEqual(sound);
  });
});
