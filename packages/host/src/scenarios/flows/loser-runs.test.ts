/** Runs that were handed to in items of a fan-out which others have decided (spec/flow.md §5.6). */
import { type FlowNode, isClaimOf } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { openSpreadDesk, type SpreadDesk, spread } from "../__fixtures__/spread-desk.ts";

const call = (loopId: string, at: string): FlowNode => ({
  ...{ kind: "call", loopId },
  inputMapping: { at: { const: at } },
});

/** Two runs that work for others, beside a third that ends it. */
const race = (fields: Partial<FlowNode> = {}): FlowNode =>
  ({
    kind: "parallel",
    branches: [
      call("hand", "a"),
      { kind: "sequence", nodes: [call("hand", "b"), call("hand", "never")] },
      call("hand", "c"),
    ],
    ...fields,
  }) as FlowNode;

async function expectSound(desk: SpreadDesk, count = 4): Promise<void> {
  const { codes, runs, replays } = await desk.judge();
  expect(codes).toEqual([]);
  expect(runs).toBe(count);
  expect(new Set(replays)).toEqual(new Set(["identical"]));
}

/** The third ends first, in a process of its own. */
async function endThird(desk: SpreadDesk): Promise<readonly string[]> {
  const host = desk.open();
  await host.advance(desk.run);
  const children = await desk.children();
  expect(children).toHaveLength(3);
  await host.drive(children[2] ?? "");
  return children;
}

test("the first wins, and the runs of the others are cancelled", async () => {
  const desk = await openSpreadDesk(race({ join: "any" }));
  const [first = "", second = ""] = await endThird(desk);
  expect(await desk.drive()).toBe("goal-reached");
  expect(await desk.output()).toBe("c");
  expect(desk.paid).toEqual(["c"]);
  expect([await desk.stopOf(first), await desk.stopOf(second)]).toEqual(["cancelled", "cancelled"]);
  await expectSound(desk);
});

test("a quorum has what it needs, and the run of the other is cancelled", async () => {
  const desk = await openSpreadDesk(race({ join: { quorum: 2 } }));
  const [first = "", second = ""] = await endThird(desk);
  const host = desk.open();
  await host.advance(desk.run);
  await host.drive(first);
  expect(await desk.drive()).toBe("goal-reached");
  expect(await desk.output()).toEqual(["a", "c"]);
  expect(await desk.stopOf(second)).toBe("cancelled");
  await expectSound(desk);
});

test("a failure ends it, and the runs of the others are cancelled", async () => {
  const act = (at: unknown) => {
    if (at === "c") throw notDone("no money");
    return at as string;
  };
  const desk = await openSpreadDesk(race(), { act });
  const [first = "", second = ""] = await endThird(desk);
  expect(await desk.drive()).toBe("failed");
  expect(desk.paid).toEqual([]);
  expect([await desk.stopOf(first), await desk.stopOf(second)]).toEqual(["cancelled", "cancelled"]);
  await expectSound(desk);
});

test("one that ends by itself before the cancel reaches it changes nothing", async () => {
  const desk = await openSpreadDesk(race({ join: "any" }));
  const [first = "", second = ""] = await endThird(desk);
  await desk.open().drive(first);
  expect(await desk.drive()).toBe("goal-reached");
  expect(await desk.stopOf(first)).toBe("goal-reached");
  expect(await desk.stopOf(second)).toBe("cancelled");
  const claims = (await desk.events()).filter((event) => isClaimOf("handoff", event));
  expect(claims).toHaveLength(3);
  await expectSound(desk);
});

test("runs of a fan-out inside the one that is decided are cancelled and waited for", async () => {
  const go: FlowNode = { kind: "wait", for: { signal: "go" } };
  const branches = [go, spread({ const: ["a", "b"] })];
  const desk = await openSpreadDesk({ kind: "parallel", join: "any", branches });
  const host = desk.open();
  await host.advance(desk.run);
  const [first = "", second = ""] = await desk.children();
  await host.signal(desk.run, { name: "go", payload: {}, key: "go", by: "ada" });
  expect(await desk.drive()).toBe("goal-reached");
  expect(desk.paid).toEqual([]);
  expect([await desk.stopOf(first), await desk.stopOf(second)]).toEqual(["cancelled", "cancelled"]);
  const types = (await desk.events()).map(({ type }) => type);
  expect(types.filter((type) => type === "action.settled")).toHaveLength(2);
  expect(types.lastIndexOf("action.settled")).toBeLessThan(types.indexOf("call.completed"));
  await expectSound(desk, 3);
});

test.each(["put", "append"] as const)(
  "a worker that dies at any %s leaves the same",
  async (at) => {
    let isOver = false;
    for (let place = 1; !isOver; place++) {
      const desk = await openSpreadDesk(race({ join: "any" }));
      const [first = "", second = ""] = await endThird(desk);
      let calls = 0;
      const target = at === "put" ? desk.stores.inbox : desk.stores.log;
      const real = Reflect.get(target, at) as (...given: unknown[]) => Promise<unknown>;
      Reflect.set(target, at, async (...given: unknown[]) => {
        calls += 1;
        if (calls === place) throw new Error("crash");
        return real.apply(target, given);
      });
      await desk.drive().catch((error: unknown) => expect(String(error)).toContain("crash"));
      isOver = calls < place;
      expect(await desk.drive(), `${at} ${place}`).toBe("goal-reached");
      expect(desk.paid).toEqual(["c"]);
      expect([await desk.stopOf(first), await desk.stopOf(second)]).toEqual([
        "cancelled",
        "cancelled",
      ]);
      await expectSound(desk);
    }
  },
);
