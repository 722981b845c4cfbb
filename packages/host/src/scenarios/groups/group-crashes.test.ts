/**
 * A group in processes that die at every append, before it is stored or after. All of it is done,
 * or none, or a part that a person decides about; and nothing is done twice.
 */
import type { Policy } from "@turnseal/protocol";
import { notDone, type Reconciliation } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { dieAt } from "../__fixtures__/die-at.ts";
import { type GroupDeskOptions, openGroupDesk, THREE } from "../__fixtures__/group-desk.ts";

const failAt = (bad: string) => (at: string) => {
  if (at === bad) throw notDone("no room");
};
const asked: Policy = {
  name: "asked",
  rules: [
    { id: "two", tools: ["local.two"], decision: "ask" },
    { id: "rest", decision: "allow" },
  ],
};

interface Case extends GroupDeskOptions {
  readonly outcome: string;
  readonly world: readonly string[];
  readonly undone: readonly string[];
  readonly ends: readonly string[];
}

const three = (end: string) => [end, end, end];
const cases: Readonly<Record<string, Case>> = {
  "that succeeds": { outcome: "all", world: THREE, undone: [], ends: three("done") },
  "that is approved": {
    ...{ policy: asked, outcome: "all", world: THREE, undone: [], ends: three("done") },
  },
  "whose first fails": {
    ...{ act: failAt("one"), outcome: "none", world: [], undone: [], ends: three("not-done") },
  },
  "whose last fails": {
    ...{ act: failAt("three"), outcome: "none", world: [], undone: ["two", "one"] },
    ends: ["taken-back", "taken-back", "not-done"],
  },
  "that cannot be taken back": {
    ...{ act: failAt("three"), final: ["one"], outcome: "part", world: ["one"], undone: ["two"] },
    ends: ["done", "taken-back", "not-done"],
  },
  "whose compensation fails": {
    ...{ act: failAt("three"), undo: failAt("two"), outcome: "part", world: ["two"] },
    ...{ undone: ["one"], ends: ["taken-back", "done", "not-done"] },
  },
};

const lives = Object.keys(cases).flatMap((what) =>
  (["before", "after"] as const).map((when) => [when, what] as const),
);

test.each(lives)("a process dies %s any append of a group %s", async (when, what) => {
  const given = cases[what];
  if (given === undefined) throw new Error(what);
  let [places, unknowns] = [0, 0];
  for (let place = 1; ; place++) {
    const at = `${what}: ${when} append ${place}`;
    const desk = await openGroupDesk(given);
    const { see, hasDied } = dieAt(place, when);
    await desk.drive(see).catch(() => {});
    if (!hasDied()) {
      const [request] = await desk.open().requests(desk.run);
      if (request?.kind === "approval") await desk.approve();
      if (request?.kind === "question") await desk.answer("stays");
      await desk.drive(see).catch(() => {});
    }
    if (!hasDied()) break;
    places += 1;
    await desk.finish();
    const [group, ...others] = await desk.groups();
    expect(others, at).toEqual([]);
    const ends = group?.members.map(({ end }) => end) ?? [];
    expect(new Set(desk.done).size, at).toBe(desk.done.length);
    expect(group?.asked === undefined, at).toBe(group?.outcome !== "part");
    if (ends.includes("unknown")) {
      // It died in the failing act: its end is unknown, and no member around it is undone.
      expect(group?.outcome, at).toBe("part");
      unknowns += 1;
    } else {
      expect(group?.outcome, at).toBe(given.outcome);
      expect(ends, at).toEqual(given.ends);
      expect([...desk.world], at).toEqual([...given.world]);
      expect(desk.undone, at).toEqual(given.undone);
    }
    expect(await desk.judge(), at).toEqual({ codes: [], replays: ["identical"] });
  }
  expect(places).toBeGreaterThan(6);
  expect(unknowns).toBeLessThan(4);
});

test.each(["before", "after"] as const)(
  "tools that are asked what became of them, in processes that die %s any append",
  async (when) => {
    for (let place = 1; ; place++) {
      const acted = new Set<string>();
      const asks = new Map<string, string>();
      const options: GroupDeskOptions = {
        effect: "reconcile",
        act: (at) => void acted.add(at),
        // The actions that acted have happened, and the others never will.
        reconcile: async (key): Promise<Reconciliation> => {
          const at = asks.get(key);
          return at !== undefined && acted.has(at)
            ? { kind: "happened", result: { put: at } }
            : { kind: "never" };
        },
      };
      const desk = await openGroupDesk(options);
      const { see, hasDied } = dieAt(place, when);
      await desk.drive(see).catch(() => {});
      if (!hasDied()) break;
      for (const event of await desk.events())
        if (event.type === "action.claimed" && event.content.action === "tool")
          asks.set(event.content.key, event.content.tool.replace("local.", ""));
      const what = `${when} append ${place}`;
      expect(await desk.finish(), what).toBe("goal-reached");
      expect(desk.done, what).toEqual([...THREE]);
      expect((await desk.groups())[0]?.outcome, what).toBe("all");
      expect(await desk.judge(), what).toEqual({ codes: [], replays: ["identical"] });
    }
  },
);

test("a turn that is cancelled where nobody can run it gives up what is held", async () => {
  const desk = await openGroupDesk({ policy: asked });
  await desk.drive();
  await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
  const { projection } = await desk.openElsewhere().advance(desk.run);
  expect(projection?.stopped).toBe("cancelled");
  const [group] = await desk.groups();
  expect(group).toMatchObject({ outcome: "none" });
  expect(desk.done).toEqual([]);
  expect((await desk.judge()).codes).toEqual([]);
});
