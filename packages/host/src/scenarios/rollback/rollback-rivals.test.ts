// Two rollbacks of one family that start at the same moment share the remainder once: at most one
// of them goes on, and a second try gets the rest.
import type { Stores } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const caps = { toolCalls: 90, effects: 90, turns: 20, handoffs: 20 };

/** A run that did two things, each by a run of its own, and could spend 30 cents. */
async function openFamily() {
  const desk = await openRollbackDesk({
    ...{ steps: ["one", "two"], handed: ["one", "two"] },
    grant: { budget: { ...caps, "shop.cents": 30 } },
    slice: { "shop.cents": 25 },
    way: { needs: () => ({ amounts: { "shop.cents": 12 } }) },
  });
  expect(await desk.work()).toBe("goal-reached");
  const children = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
  );
  return { desk, children };
}

/** Both have looked before either writes. */
function meet(count: number): () => Promise<void> {
  const met = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) met.resolve();
    return met.promise;
  };
}

/** Starting a run waits for the other starts. */
const afterLook =
  (wait: () => Promise<void>) =>
  (stores: Stores): Stores => ({
    ...stores,
    inbox: {
      has: stores.inbox.has.bind(stores.inbox),
      peek: stores.inbox.peek.bind(stores.inbox),
      listTold: stores.inbox.listTold.bind(stores.inbox),
      put: async (message) => {
        if (message.kind === "start") await wait();
        return stores.inbox.put(message);
      },
    },
  });

/** A worker that is killed when it would begin a turn. */
const dyingAtTurn = (stores: Stores): Stores => ({
  ...stores,
  log: {
    ...stores.log,
    read: stores.log.read.bind(stores.log),
    readHead: stores.log.readHead.bind(stores.log),
    append: async (batch) => {
      if (batch.events.some(({ type }) => type === "turn.started")) throw new Error("killed");
      return stores.log.append(batch);
    },
  },
});

async function askAtOnce(desk: RollbackDesk, runs: readonly string[]): Promise<string[]> {
  const see = afterLook(meet(runs.length));
  return Promise.all(
    runs.map(async (run) => {
      const answer = await desk.open(see).rollback(run, { by: "bea" });
      if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
      return answer.run;
    }),
  );
}

async function carryOut(desk: RollbackDesk, rollback: string): Promise<string> {
  await desk.approve(rollback);
  return desk.drive(rollback);
}

const endOf = async (desk: RollbackDesk, rollback: string) =>
  (await desk.open().show(rollback))?.stopped ?? null;

describe("of two that are asked for at the same moment", () => {
  const pick: Record<string, (run: string, children: readonly string[]) => string[]> = {
    "a run and one that it handed to": (run, [child = ""]) => [run, child],
    "one that it handed to, and the run": (run, [child = ""]) => [child, run],
    "two that it handed to": (_, children) => [...children],
  };

  test.each(Object.entries(pick))("%s, the first that begins goes on", async (_, of) => {
    const { desk, children } = await openFamily();
    const [first = "", second = ""] = await askAtOnce(desk, of(desk.run, children));
    expect(await desk.drive(first)).toBe("wait");
    expect(await desk.drive(second)).toBe("budget-exhausted");
    expect(await carryOut(desk, first)).toBe("goal-reached");
    expect(await desk.judge(second)).toEqual(sound);
    expect(await desk.judge(first)).toEqual(sound);
    expect((await desk.events(second)).some(({ type }) => type === "action.claimed")).toBe(false);
  });

  test("at most one goes on where both begin at once, and the rest can be asked for", async () => {
    const { desk, children } = await openFamily();
    const asked = await askAtOnce(desk, children);
    await Promise.all(asked.map((rollback) => desk.drive(rollback)));
    const ends = await Promise.all(asked.map((rollback) => endOf(desk, rollback)));
    expect(ends.filter((end) => end === null).length).toBeLessThanOrEqual(1);
    for (const [at, rollback] of asked.entries())
      if (ends[at] === null) await carryOut(desk, rollback);
    const rest = await desk.open().rollback(desk.run, { by: "bea" });
    expect(rest).toMatchObject({ kind: "proposed" });
  });

  test("one that died before its first turn goes on when the other has ended", async () => {
    const { desk, children } = await openFamily();
    const [first = "", second = ""] = await askAtOnce(desk, children);
    await expect(desk.drive(first, dyingAtTurn)).rejects.toThrow("killed");
    expect(await desk.open().show(first)).toMatchObject({ stopped: null, openTurn: null });
    expect(await desk.drive(second)).toBe("budget-exhausted");
    expect(await desk.drive(first)).toBe("wait");
    expect(await carryOut(desk, first)).toBe("goal-reached");
    const again = await desk.open().rollback(children[1] ?? "", { by: "bea" });
    if (again.kind !== "proposed") throw new Error(JSON.stringify(again));
    await desk.drive(again.run);
    expect((await desk.open().show(again.run))?.spec?.grant.budget["shop.cents"]).toBe(18);
  });

  test("one with a grant of its own takes nothing from the other", async () => {
    const { desk, children } = await openFamily();
    const see = afterLook(meet(2));
    const tools = ["local.work.undo"];
    const budget = { toolCalls: 1, effects: 1, "shop.cents": 100 };
    const grant = { grantor: "bea", tools, budget };
    const answers = await Promise.all([
      desk.open(see).rollback(children[0] ?? "", { by: "bea", grant }),
      desk.open(see).rollback(children[1] ?? "", { by: "bea" }),
    ]);
    for (const answer of answers) {
      if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
      expect(await desk.drive(answer.run)).toBe("wait");
      expect(await carryOut(desk, answer.run)).toBe("goal-reached");
    }
  });
});
