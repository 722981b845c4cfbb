// Events that must not come between the commit of a group and its end: a cancel, and other code.
import { createMemorySigner, type Stores, seededIds } from "@turnseal/ports";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { makeLoops, openGroupDesk, THREE } from "../__fixtures__/group-desk.ts";

describe("a cancel after the commit", () => {
  test("waits for the answer of a person, and no turn is woken for it", async () => {
    const act = (at: string) => {
      if (at === "two") throw notDone("no room");
    };
    const desk = await openGroupDesk({ act, final: ["one"] });
    expect(await desk.drive()).toBe("wait");
    await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
    for (let look = 0; look < 30; look++) expect(await desk.drive()).toBe("wait");
    const resumed = (await desk.events()).filter(({ type }) => type === "turn.resumed");
    expect(resumed.length).toBeLessThan(3);
    await desk.answer("stays");
    await desk.finish();
    const [group] = await desk.groups();
    expect(group).toMatchObject({ outcome: "part", asked: expect.any(Number) });
    expect(await desk.judge()).toEqual({ codes: [], replays: ["identical"] });
  });

  test("waits for a member that is asked what became of it", async () => {
    let calls = 0;
    const desk = await openGroupDesk({
      effect: "reconcile",
      act: (at) => {
        calls += at === "two" ? 1 : 0;
        if (at === "two" && calls === 1) throw new Error("a hiccup");
      },
      reconcile: async () => ({ kind: "never" }),
    });
    const first = await desk.drive();
    await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
    for (let look = 0; look < 30; look++) {
      if ((await desk.drive()) !== first) break;
      desk.clock.advance(10_000);
    }
    await desk.finish();
    const [group] = await desk.groups();
    expect([group?.outcome, desk.done]).toEqual(["all", [...THREE]]);
    expect(await desk.judge()).toEqual({ codes: [], replays: ["identical"] });
  });
});

test("a member whose code is another after the commit does not act", async () => {
  const desk = await openGroupDesk();
  let count = 0;
  const dead = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        const isCommit = append.events.some(
          ({ type, content }) => type === "action.settled" && "status" in content,
        );
        count += isCommit ? 1 : 0;
        const answer = await stores.log.append(append);
        if (isCommit) throw new Error("dead");
        return answer;
      },
    },
  });
  await desk.drive(dead).catch(() => {});
  expect(count).toBe(1);
  const other = makeLoops({ build: "other" }, desk);
  const { run, stores, clock } = desk;
  const ids = seededIds("desk");
  const signer = await createMemorySigner();
  const host = createLocalHost({ loops: [other.loop], stores, clock, ids, signer });
  for (let look = 0; look < 10; look++) await host.advance(run);
  // The first was released with the commit, and is done again as any action is after a crash.
  expect([desk.done, desk.undone]).toEqual([["one"], ["one"]]);
  const [group] = await desk.groups();
  expect(group?.outcome).toBe("none");
  expect(group?.members.map(({ end }) => end)).toEqual(["taken-back", "not-done", "not-done"]);
});

test("before a compensation acts, the turn is read from where it begins", async () => {
  const act = (at: string) => {
    if (at === "two") throw notDone("no room");
  };
  const read: number[] = [];
  let isTaking = false;
  const undo = () => {
    isTaking = false;
  };
  const desk = await openGroupDesk({ act, undo });
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        const answer = await stores.log.append(append);
        isTaking ||= append.events.some(({ content }) => "takesBack" in content);
        return answer;
      },
      readHead: stores.log.readHead.bind(stores.log),
      read: (run, from, count) => {
        if (isTaking) read.push(from);
        return stores.log.read(run, from, count);
      },
    },
  });
  expect(await desk.drive(see)).toBe("failed");
  expect(desk.undone).toEqual(["one"]);
  const begins = (await desk.events()).find(({ type }) => type === "turn.started")?.sequence ?? 0;
  expect(begins).toBeGreaterThan(1);
  expect(read.filter((from) => from < begins)).toEqual([]);
  expect(read).toContain(begins);
});
