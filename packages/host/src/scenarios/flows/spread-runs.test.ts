/** Fan-outs whose items are runs, through a real host (spec/flow.md §5.10). */
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { callOf, openSpreadDesk, type SpreadDesk, spread } from "../__fixtures__/spread-desk.ts";

const abc = ["a", "b", "c"];

async function expectSound(desk: SpreadDesk, runs: number): Promise<void> {
  const judged = await desk.judge();
  expect(judged.codes).toEqual([]);
  expect(judged.runs).toBe(runs);
  expect(new Set(judged.replays)).toEqual(new Set(["identical"]));
}

const list = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe("items that are runs", () => {
  test.each([1, 2, 3, 4, undefined])("are joined in order, with concurrency %s", async (limit) => {
    const fields = limit === undefined ? {} : { concurrency: limit };
    const desk = await openSpreadDesk(spread({ const: abc }, fields));
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual(abc);
    expect(desk.paid.toSorted()).toEqual(abc);
    await expectSound(desk, 4);
  });

  test.each([0, 1])("reach the join where there are %s of them", async (count) => {
    const desk = await openSpreadDesk(spread({ const: abc.slice(0, count) }));
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual(abc.slice(0, count));
    await expectSound(desk, 1 + count);
  });

  test("leave two events each in the log of their parent", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }));
    await desk.drive();
    const types = (await desk.events()).map(({ type }) => type);
    const count = (type: string) => types.filter((one) => one === type).length;
    expect(count("action.claimed")).toBe(3);
    expect(count("action.settled")).toBe(3);
    expect(count("item.closed") + count("child.started") + count("child.completed")).toBe(0);
  });

  test("may be more than one turn takes", async () => {
    const desk = await openSpreadDesk(spread({ const: list(0, 257) }, { concurrency: 256 }));
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual(list(0, 257));
    expect(desk.paid).toHaveLength(257);
  });

  test("may be fan-outs over runs themselves", async () => {
    const inner = { shelf: spread({ cel: "[input.at * 10, input.at * 10 + 1]" }) };
    const desk = await openSpreadDesk(spread({ const: [1, 2, 3] }, { body: callOf("shelf") }), {
      inner,
    });
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual([
      [10, 11],
      [20, 21],
      [30, 31],
    ]);
    await expectSound(desk, 10);
  });

  test("are no more at once than the concurrency says", async () => {
    const desk = await openSpreadDesk(spread({ const: list(0, 5) }, { concurrency: 2 }));
    const host = desk.open();
    await host.advance(desk.run);
    expect(await desk.children()).toHaveLength(2);
    const [first = ""] = await desk.children();
    await host.drive(first);
    await host.advance(desk.run);
    expect(await desk.children()).toHaveLength(3);
  });
});

describe("what an item that is a run may spend", () => {
  test("is an equal part of what is left when the list is fixed", async () => {
    const budget = { toolCalls: 10, effects: 7, turns: 20, handoffs: 9 };
    const desk = await openSpreadDesk(spread({ const: abc }), { budget });
    expect(await desk.drive()).toBe("goal-reached");
    const fixed = (await desk.events()).find(({ type }) => type === "fanout.fixed");
    expect(fixed?.content).toMatchObject({
      share: { toolCalls: 3, effects: 2, turns: 6, handoffs: 2 },
    });
    for (const child of await desk.children()) {
      const { grant } = (await desk.open().show(child))?.spec ?? {};
      expect(grant?.budget).toEqual({ toolCalls: 3, effects: 2, turns: 6, handoffs: 2 });
      expect(grant?.depth).toBe(2);
    }
    await expectSound(desk, 4);
  });

  test("is nothing where nothing is left: then none is started", async () => {
    const budget = { toolCalls: 10, effects: 7, turns: 20, handoffs: 2 };
    const desk = await openSpreadDesk(spread({ const: abc }), { budget });
    expect(await desk.drive()).toBe("budget-exhausted");
    const { projection } = await desk.open().advance(desk.run);
    expect(projection?.spending.open).toEqual({});
    await expectSound(desk, 3);
  });

  test("counts once the run has ended, and gives the rest back", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }));
    await desk.drive();
    const { projection } = await desk.open().advance(desk.run);
    expect(projection?.spending).toMatchObject({
      settled: { turns: 4, toolCalls: 3, effects: 3, handoffs: 3 },
      open: {},
    });
  });
});

describe("what is not granted is not started", () => {
  test.each([
    ["another loop", { handoffs: ["shelf"] }],
    ["a level below the last", { depth: 0 }],
  ])("%s", async (_, grant) => {
    const desk = await openSpreadDesk(spread({ const: abc }), { grant });
    expect(await desk.drive()).toBe("denied");
    expect(await desk.children()).toEqual([]);
    expect(desk.paid).toEqual([]);
    await expectSound(desk, 1);
  });
});

describe("an item that fails", () => {
  const act = (at: unknown) => {
    if (at === "b") throw notDone("no money");
    return at as string;
  };

  test("ends the fan-out, and the runs of the others are cancelled", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }, { concurrency: 3 }), { act });
    const host = desk.open();
    await host.advance(desk.run);
    const [first = "", second = "", third = ""] = await desk.children();
    await host.drive(second);
    expect(await desk.drive()).toBe("failed");
    expect([await desk.stopOf(first), await desk.stopOf(third)]).toEqual([
      "cancelled",
      "cancelled",
    ]);
    await expectSound(desk, 4);
  });

  test("is borne where the fan-out says so", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }, { onItemError: "continue" }), { act });
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual([
      { status: "ok", output: "a" },
      {
        ...{ status: "error", label: "b" },
        error: { code: "CHILD_FAILED", message: "pay failed", reason: "it stopped: failed" },
      },
      { status: "ok", output: "c" },
    ]);
    await expectSound(desk, 4);
  });

  test.each([
    [0, "failed"],
    [1, "goal-reached"],
  ])("is borne %s times where that is tolerated", async (count, end) => {
    const fields = { tolerate: { count } };
    const desk = await openSpreadDesk(spread({ const: abc }, fields), { act });
    expect(await desk.drive()).toBe(end);
    await expectSound(desk, 4);
  });
});

describe("the first of several", () => {
  test("wins by the log, and the runs of the others are cancelled", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }, { join: "any" }));
    const host = desk.open();
    await host.advance(desk.run);
    const [first = "", second = "", third = ""] = await desk.children();
    await host.drive(third);
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toBe("c");
    expect(desk.paid).toEqual(["c"]);
    expect([await desk.stopOf(first), await desk.stopOf(second)]).toEqual([
      "cancelled",
      "cancelled",
    ]);
    await expectSound(desk, 4);
  });

  test("are as many as the quorum says, in the order of the list", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }, { join: { quorum: 2 } }));
    const host = desk.open();
    await host.advance(desk.run);
    const [, second = "", third = ""] = await desk.children();
    await host.drive(third);
    await host.advance(desk.run);
    await host.drive(second);
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.output()).toEqual(["b", "c"]);
    await expectSound(desk, 4);
  });
});

describe("a run with items that are runs", () => {
  test("is cancelled with them", async () => {
    const desk = await openSpreadDesk(spread({ const: abc }, { concurrency: 2 }));
    const host = desk.open();
    await host.advance(desk.run);
    await host.cancel(desk.run, { key: "stop", by: "ada" });
    expect(await desk.drive()).toBe("cancelled");
    for (const child of await desk.children()) expect(await desk.stopOf(child)).toBe("cancelled");
    expect(desk.paid).toEqual([]);
    await expectSound(desk, 3);
  });

  test("waits for the people that a rule asks before a run is started", async () => {
    const policy = {
      name: "desk",
      rules: [
        { id: "ask", decision: "ask", tools: ["turnseal.handoff"], role: "finance" },
        { id: "rest", decision: "allow" },
      ],
    } as const;
    const desk = await openSpreadDesk(spread({ const: abc }), { policy });
    expect(await desk.drive()).toBe("wait");
    const requests = await desk.open().requests(desk.run);
    expect(requests).toHaveLength(3);
    const by = { id: "ada", roles: ["finance"] };
    for (const { id } of requests.toReversed()) {
      await desk.open().decide(desk.run, id, { choice: "approve", by });
      await desk.drive();
    }
    expect(await desk.output()).toEqual(abc);
    expect(desk.paid).toEqual(["c", "b", "a"]);
    await expectSound(desk, 4);
  });
});
