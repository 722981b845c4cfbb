/**
 * Fan-outs through a real host. Each test is named after a fault of other systems: a request in one
 * item belongs to no other, a settlement stays, and a join happens once.
 */
import type { Model } from "@turnseal/ports";
import {
  committed,
  type FlowNode,
  type ForEachNode,
  foldSpending,
  NO_SPENDING,
} from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { type FanOutDesk, openFanOutDesk, payAt } from "../__fixtures__/fan-out-desk.ts";

const each = (items: readonly string[], fields: Partial<ForEachNode> = {}): ForEachNode => ({
  ...{ kind: "forEach", items: { const: items }, max: 256, body: payAt("$.item") },
  ...fields,
});
const abc = ["a", "b", "c"];

async function expectSound(desk: FanOutDesk): Promise<void> {
  const { findings, replays } = await desk.judge();
  expect(findings).toEqual([]);
  expect(new Set(replays)).toEqual(new Set(["identical"]));
}

describe("items that wait for people", () => {
  test("one at a time drops none of them, and the results are those of all at once", async () => {
    for (const concurrency of [1, 2, 3, 4, undefined]) {
      const limit = concurrency === undefined ? {} : { concurrency };
      const desk = await openFanOutDesk(each(abc, limit), { isAsked: false });
      expect(await desk.drive()).toBe("goal-reached");
      expect(await desk.output()).toEqual(abc);
      await expectSound(desk);
    }
  });

  test("an answer moves the item that it is for, and no other", async () => {
    const desk = await openFanOutDesk(each(abc, { concurrency: 1 }));
    await desk.drive();
    await desk.approve("b");
    expect(await desk.drive()).toBe("wait");
    expect(desk.paid).toEqual(["b"]);
    expect((await desk.requests()).map(({ at }) => at)).toEqual(["a", "c"]);
  });

  test.each([
    ["a", "b", "c"],
    ["a", "c", "b"],
    ["b", "a", "c"],
    ["b", "c", "a"],
    ["c", "a", "b"],
    ["c", "b", "a"],
  ])("answered %s, %s, %s, each in a new process, all are paid once", async (...order) => {
    for (const concurrency of [1, 2, 5]) {
      const desk = await openFanOutDesk(each(abc, { concurrency }));
      expect(await desk.drive()).toBe("wait");
      for (const at of order) {
        await desk.approve(at);
        await desk.drive();
      }
      expect(desk.paid).toEqual(order);
      expect(await desk.output()).toEqual(abc);
      await expectSound(desk);
    }
  });

  test("an item that has ended does not wait again when another goes on", async () => {
    const desk = await openFanOutDesk(each(abc));
    await desk.drive();
    for (const at of abc) {
      await desk.approve(at);
      await desk.drive();
    }
    expect((await desk.ends()).toSorted()).toEqual(["0 ok", "1 ok", "2 ok"]);
    expect(desk.paid).toEqual(abc);
  });

  test("what joins them waits for those that still wait", async () => {
    const desk = await openFanOutDesk(each(abc));
    await desk.drive();
    await desk.approve("a");
    await desk.approve("b");
    expect(await desk.drive()).toBe("wait");
    expect(await desk.ends()).toEqual(["0 ok", "1 ok"]);
  });

  test("those that wait keep what they ask when one of them goes on", async () => {
    const desk = await openFanOutDesk(each(abc));
    await desk.drive();
    const before = await desk.requests();
    await desk.approve("a");
    await desk.drive();
    expect(await desk.requests()).toEqual(before.slice(1));
  });

  test("two that are answered before anybody goes on are both done", async () => {
    const desk = await openFanOutDesk(each(abc, { concurrency: 1 }));
    await desk.drive();
    await desk.approve("c");
    await desk.approve("a");
    expect(await desk.drive()).toBe("wait");
    expect(desk.paid.toSorted()).toEqual(["a", "c"]);
  });

  test("equal items ask by requests of their own", async () => {
    const desk = await openFanOutDesk(each(["a", "a"]));
    await desk.drive();
    const [first, second] = await desk.requests();
    expect(first?.id).not.toBe(second?.id);
    await desk.decide(second?.id ?? "");
    await desk.drive();
    expect(await desk.ends()).toEqual(["1 ok"]);
  });

  test("what an item did before it waits is not done again when it goes on", async () => {
    const body: FlowNode = {
      kind: "sequence",
      nodes: [payAt("literal:before"), payAt("$.item")],
    };
    const desk = await openFanOutDesk(each(abc, { body }), { effect: "once" });
    for (let step = 0; step < 20; step++) {
      await desk.drive();
      const [next] = await desk.requests();
      if (next === undefined) break;
      await desk.decide(next.id);
    }
    expect(desk.paid.filter((at) => at === "before")).toHaveLength(3);
    expect(desk.paid.toSorted()).toEqual(["a", "b", "before", "before", "before", "c"]);
    await expectSound(desk);
  });

  test("what lost is asked no longer, and a later answer is refused", async () => {
    const desk = await openFanOutDesk(each(abc, { join: "any" }));
    await desk.drive();
    const [, late] = await desk.requests();
    await desk.approve("c");
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.requests()).toEqual([]);
    await expect(desk.decide(late?.id ?? "")).rejects.toMatchObject({ code: "REQUEST_UNKNOWN" });
    expect(desk.paid).toEqual(["c"]);
    expect(await desk.ends()).toEqual(["2 ok", "0 withdrawn", "1 withdrawn"]);
    await expectSound(desk);
  });

  test("two answers that race: one wins, and the other changes nothing", async () => {
    const desk = await openFanOutDesk(each(abc, { join: "any", concurrency: 1 }));
    await desk.drive();
    await desk.approve("b");
    await desk.approve("c");
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.paid).toEqual(["b"]);
    await expectSound(desk);
  });
});

describe("what is joined", () => {
  test("is in the order of the list, whichever ended first", async () => {
    const desk = await openFanOutDesk(each(abc), {
      isAsked: false,
      act: async (at) => {
        for (let turns = at === "a" ? 30 : 1; turns > 0; turns--) await Promise.resolve();
        return at;
      },
    });
    await desk.drive();
    expect(await desk.output()).toEqual(abc);
  });

  test.each([0, 1, 9])("is joined once for %i items", async (count) => {
    const items = Array.from({ length: count }, (_, index) => `${index}`);
    const flow: FlowNode = {
      kind: "sequence",
      nodes: [{ ...each(items), name: "all" }, payAt("literal:joined")],
    };
    const desk = await openFanOutDesk(flow, { isAsked: false });
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.paid.filter((at) => at === "joined")).toHaveLength(1);
    expect(desk.paid).toHaveLength(count + 1);
    await expectSound(desk);
  });
});

describe("what it may cost", () => {
  test("a cap is passed by no unit at any event, however many look at it at once", async () => {
    const items = Array.from({ length: 20 }, (_, index) => `${index}`);
    const flow = each(items, { concurrency: 20, onItemError: "continue" });
    const desk = await openFanOutDesk(flow, {
      isAsked: false,
      budget: { toolCalls: 7, effects: 7 },
    });
    await desk.drive();
    let spending = NO_SPENDING;
    for (const event of await desk.events()) {
      spending = foldSpending(spending, event);
      expect(committed(spending).toolCalls ?? 0).toBeLessThanOrEqual(7);
    }
    expect(desk.paid).toHaveLength(7);
    await expectSound(desk);
  });

  test("a list that is longer than its maximum begins nothing", async () => {
    const flow: FlowNode = {
      kind: "sequence",
      nodes: [
        { ...payAt("literal:x"), name: "made" },
        { kind: "forEach", items: "$.made.output", max: 2, body: payAt("$.item") },
      ],
    };
    const desk = await openFanOutDesk(flow, { isAsked: false, act: () => ["a", "b", "c"] });
    await desk.drive();
    expect(desk.paid).toEqual(["x"]);
    expect(await desk.ends()).toEqual([]);
  });

  test("three levels deep no level spends what another has", async () => {
    const deep = each(abc, {
      body: each(abc, { as: "b", body: each(abc, { as: "c", body: payAt("$.c") }) }),
    });
    const desk = await openFanOutDesk(deep, {
      isAsked: false,
      budget: { toolCalls: 10, effects: 10 },
    });
    await desk.drive();
    expect(desk.paid).toHaveLength(10);
    await expectSound(desk);
  });
});

test("an item's prompt knows nothing of the items before it", async () => {
  const lengths: number[] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: async ({ messages }) => {
      lengths.push(messages.length);
      const content = [{ kind: "text" as const, text: '"seen"' }];
      return { content, finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const body = payAt("$.item", "think");
  const desk = await openFanOutDesk(each(abc, { body, concurrency: 1 }), { isAsked: false, model });
  expect(await desk.drive()).toBe("goal-reached");
  expect(new Set(lengths).size).toBe(1);
  await expectSound(desk);
});
