// With any room in a budget, a failed group is undone whole, or does nothing at all.
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { openGroupDesk, THREE } from "../__fixtures__/group-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const failing = (at: string) => {
  if (at === "three") throw notDone("no room");
};

/** The second is tried again, which costs as much as the first time. */
const failingSlowly = () => {
  let tries = 0;
  return (at: string) => {
    if (at === "three") throw notDone("no room");
    if (at === "two" && ++tries < 3) throw notDone("busy", { mayRetry: true });
  };
};

describe.each(["effects", "toolCalls"] as const)("with few %s", (unit) => {
  const budgetOf = (count: number) => ({
    budget: { effects: 90, toolCalls: 90, turns: 20, [unit]: count },
  });

  test.each(COUNTS)("a group that fails leaves nothing: %i", async (count) => {
    const desk = await openGroupDesk({ act: failing, grant: budgetOf(count) });
    // Three members, and what takes three back.
    expect(await desk.finish()).toBe(count < 6 ? "budget-exhausted" : "failed");
    expect([...desk.world]).toEqual([]);
    expect(desk.done).toEqual(count < 6 ? [] : ["one", "two"]);
    for (const { outcome } of await desk.groups()) expect(outcome).toBe("none");
    expect((await desk.judge()).codes).toEqual([]);
  });

  test.each(COUNTS)("nor where a member is tried again: %i", async (count) => {
    const desk = await openGroupDesk({ act: failingSlowly(), grant: budgetOf(count) });
    const end = desk.finish();
    for (let looks = 0; looks < 40; looks++) {
      desk.clock.advance(2_000);
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    }
    expect(["budget-exhausted", "failed"]).toContain(await end);
    expect([...desk.world]).toEqual([]);
    for (const { outcome } of await desk.groups()) expect(outcome).toBe("none");
    expect((await desk.judge()).codes).toEqual([]);
  });
});

test("a compensation that the grant does not name needs no room", async () => {
  const tools = [...THREE.map((at) => `local.${at}`), "turnseal.group"];
  const budget = { effects: 3, toolCalls: 3, turns: 20 };
  const desk = await openGroupDesk({ grant: { tools, budget } });
  expect(await desk.drive()).toBe("goal-reached");
  expect(desk.done).toEqual([...THREE]);
  expect(await desk.judge()).toEqual(sound);
});

test("of active time, as much is left for what takes members back", async () => {
  const budget = { effects: 90, toolCalls: 90, turns: 20, activeMs: 60_000 };
  const desk = await openGroupDesk({ act: failing, grant: { budget } });
  expect(await desk.finish()).toBe("failed");
  const reserved = (await desk.events()).flatMap((event) =>
    event.type === "action.claimed" && "held" in event.content
      ? [event.content.reserve.activeMs ?? 0]
      : [],
  );
  expect(reserved).toHaveLength(3);
  for (const activeMs of reserved) expect(activeMs).toBeLessThanOrEqual(10_000);
  expect((await desk.groups())[0]?.outcome).toBe("none");
});

test.each([
  ["hours are left of the budget", { budget: { activeMs: 36_000_000 } }],
  ["only a single call has a cap", { budget: {}, perCall: { activeMs: 60_000 } }],
])("each member holds its whole limit where %s", async (_, grant) => {
  const free = await openGroupDesk();
  const capped = await openGroupDesk({ grant });
  const limits = async (desk: typeof free) => {
    expect(await desk.drive()).toBe("goal-reached");
    return (await desk.events()).flatMap((event) => {
      if (event.type !== "action.claimed") return [];
      return "held" in event.content ? [Date.parse(event.content.deadlineAt)] : [];
    });
  };
  expect(await limits(capped)).toEqual(await limits(free));
});

test("the card says what is kept, and what nobody can know", async () => {
  const desk = await openGroupDesk({
    policy: {
      name: "asked",
      rules: [
        { id: "two", tools: ["local.two"], decision: "ask" },
        { id: "rest", decision: "allow" },
      ],
    },
    final: ["one"],
    way: { needs: () => ({ amounts: { "shop.cents": 5 } }) },
  });
  expect(await desk.drive()).toBe("wait");
  const [request] = await desk.open().requests(desk.run);
  expect(JSON.stringify(request)).toContain(
    "Kept to take them back: 2 calls of tools, 2 effects. " +
      "What else it takes is not known before: local.two.undo, local.three.undo.",
  );
});
