/** Fan-outs whose workers crash, whose budgets are small, and whose turns are cancelled. */
import { committed, type FlowNode, foldSpending, isClaimOf, NO_SPENDING } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { toolLoop } from "../../../call/sample-world.test.data.ts";
import { decide, pendingIn } from "../../../gate/asked-people.test.data.ts";
import type { EventDraft } from "../../../log/appender.ts";
import { readPolicy } from "../../../policy/compile-policy.ts";
import { replaySample } from "../../../turn/replay-sample.test.data.ts";
import { crashAt, settle } from "../../../turn/sample-run.test.data.ts";
import {
  askAlways,
  drive,
  eachOf,
  endsOf,
  expectSound,
  type FanOutOptions,
  flowLoop,
  openFanOut,
  pay,
} from "./sample-fan-out.test.data.ts";

/** Crashes at every append in turn; `see` looks at each run when it has closed. */
async function crashEverywhere(
  flow: FlowNode,
  options: FanOutOptions & { readonly pick?: (count: number) => number },
  see: (run: ReturnType<typeof openFanOut>, outcome: string) => Promise<void>,
): Promise<number> {
  let places = 0;
  for (const when of ["beforeAppend", "afterAppend"] as const)
    for (let place = 1; ; place++) {
      const crash = crashAt(place);
      let appends = 0;
      const { pick, ...rest } = options;
      const run = openFanOut(flow, {
        ...rest,
        [when]: () => {
          appends += 1;
          crash();
        },
      });
      await see(run, await drive(run, pick));
      await expectSound(run);
      if (appends < place) break;
      places += 1;
    }
  return places;
}

const inner = (concurrency: number) =>
  eachOf([1, 2], { as: "part", body: pay("$.part"), concurrency });

describe("a crash at every append, with requests that are open", () => {
  test.each([
    ["first to last", () => 0],
    ["last to first", (count: number) => count - 1],
  ])("all, decided %s: each is paid once", async (_, pick) => {
    const flow = eachOf(["a", "b"], { body: inner(1), concurrency: 1 });
    const places = await crashEverywhere(flow, { rules: askAlways, pick }, async (run, outcome) => {
      expect(outcome).toBe("completed");
      expect(run.paid.toSorted()).toEqual([1, 1, 2, 2]);
    });
    expect(places).toBeGreaterThan(10);
  });

  test.each(["any", { quorum: 2 }] as const)("%j: what loses is withdrawn", async (join) => {
    const flow = eachOf(["a", "b", "c"], { body: inner(2), join });
    await crashEverywhere(flow, { rules: askAlways }, async (run, outcome) => {
      expect(outcome).toBe("completed");
      expect(pendingIn(await run.events())).toEqual([]);
      const whole = (await run.contents("item.closed")).filter(({ path }) => path === "/flow");
      expect(whole.map(({ status }) => status).toSorted()).toEqual(
        join === "any" ? ["ok", "withdrawn", "withdrawn"] : ["ok", "ok", "withdrawn"],
      );
    });
  });

  test("a fan-out in a sequence, with something before and after it", async () => {
    const flow: FlowNode = {
      kind: "sequence",
      nodes: [
        { ...pay("literal:first") },
        { ...eachOf(["a", "b", "c"], { join: "any" }), name: "won" },
        { ...pay("$.won.output") },
      ],
    };
    await crashEverywhere(flow, { rules: askAlways }, async (run, outcome) => {
      expect(outcome).toBe("completed");
      // Items that had begun when the worker died run again, beside the item that is approved next.
      const [won] = endsOf(await run.events()).filter((end) => end.endsWith("ok"));
      expect(run.paid.at(0)).toBe("first");
      expect(run.paid.at(-1)).toBe(["a", "b", "c"][Number(won?.[0])]);
    });
  });

  test("items that fail are borne as before", async () => {
    const flow = eachOf([1, -2, 3], { onItemError: "continue", concurrency: 2 });
    const payPositive = (at: unknown) => {
      if (Number(at) < 0) throw new Error("not paid");
      return at;
    };
    await crashEverywhere(flow, { effect: "read", pay: payPositive }, async (run, outcome) => {
      expect(outcome).toBe("completed");
      expect(endsOf(await run.events()).toSorted()).toEqual(["0 ok", "1 error", "2 ok"]);
    });
  });
});

test("what an item settled is not lost when the worker dies while another acts", async () => {
  const isDying = false;
  const hung: (() => void)[] = [];
  const run = openFanOut(eachOf(["once", "long"]), {
    effect: "once",
    pay: (at) =>
      at === "long" && !isDying
        ? new Promise((_, no) => hung.push(() => no(new Error("crash"))))
        : at,
    beforeAppend: () => {
      if (isDying) throw new Error("crash");
    },
  });
  const attempt = run.turn();
  attempt.catch(() => {});
  for (let look = 0; look < 20; look++) await settle();
  const settled = await run.contents("action.settled");
  expect(settled).toMatchObject([{ status: "ok" }]);
  expect(run.paid).toEqual(["once"]);
});

test("a budget is passed by no unit at any event, with twenty items at once", async () => {
  const list = Array.from({ length: 20 }, (_, index) => index);
  const flow = eachOf(list, { concurrency: 20, onItemError: "continue" });
  const run = openFanOut(flow, { budget: { toolCalls: 7, effects: 7 } });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  let spending = NO_SPENDING;
  for (const event of await run.events()) {
    spending = foldSpending(spending, event);
    expect(committed(spending).toolCalls ?? 0).toBeLessThanOrEqual(7);
  }
  expect(committed(spending).toolCalls).toBe(7);
  expect(run.paid).toHaveLength(7);
  await expectSound(run);
});

test("a turn that is cancelled asks nobody any more", async () => {
  const run = openFanOut(eachOf(["a", "b"], { body: inner(2) }), { rules: askAlways });
  await run.turn();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(run.paid).toEqual([]);
  await expectSound(run);
});

test("a cancel at every append ends it, and a resume ends it the same", async () => {
  for (let place = 1; place < 14; place++) {
    let appends = 0;
    let isCancelled = false;
    const crash = crashAt(place + 1);
    const run = openFanOut(eachOf(["a", "b", "c"], { body: inner(1), concurrency: 2 }), {
      afterAppend: () => {
        appends += 1;
        crash();
      },
      pay: (at) => {
        if (appends >= place && !isCancelled) run.cancel();
        isCancelled ||= appends >= place;
        return at;
      },
    });
    expect(["completed", "cancelled"]).toContain(await drive(run));
    await expectSound(run);
  }
});

test("a turn replays that was cancelled after a worker died in two effects", async () => {
  const run = openFanOut(eachOf(["a", "b"]), { effect: "once", pay: () => new Promise(() => {}) });
  void run.turn();
  for (let look = 0; look < 20; look++) await settle();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  // The call of the other had ended when its item was withdrawn.
  expect(endsOf(await run.events())).toEqual(["1 error", "0 withdrawn"]);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "withdrawn" }]);
  expect(await replaySample(run)).toEqual({ kind: "identical" });
  await expectSound(run);
});

test("and one that was cancelled while people were asked for both", async () => {
  const run = openFanOut(eachOf(["a", "b"]), { effect: "once", rules: askAlways });
  await run.turn();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(await replaySample(run, { nowMs: run.clock.now() })).toEqual({ kind: "identical" });
});

test("a list that is another now is found out", async () => {
  const run = openFanOut(eachOf([], { items: "$.input.list" }), {
    rules: askAlways,
    input: { list: ["a", "b"] },
  });
  await run.turn();
  Object.assign(run.request, { input: { list: ["a", "c"] } });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "drifted" });
});

test("what a loser had claimed when its worker died is unknown, and not done again", async () => {
  const begun: unknown[] = [];
  const run = openFanOut(eachOf(["slow", "quick"], { join: "any" }), {
    effect: "once",
    pay: (at) => {
      begun.push(at);
      // The first worker is never heard of again.
      return begun.length <= 2 ? new Promise(() => {}) : at;
    },
    rules: { pinned: readPolicy({ name: "test", rules: [{ id: "ask", decision: "ask" }] }) },
  });
  await run.turn();
  const [slow, quick] = pendingIn(await run.events());
  void run.turn({ said: [decide(slow)] });
  for (let look = 0; look < 20; look++) await settle();
  expect(begun).toEqual(["slow"]);
  begun.push("the worker dies");
  expect(await run.turn({ said: [decide(quick)] })).toMatchObject({ outcome: "completed" });
  expect(begun).toEqual(["slow", "the worker dies", "quick"]);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "withdrawn" }]);
  expect(endsOf(await run.events())).toEqual(["1 ok", "0 withdrawn"]);
  await expectSound(run);
});

test.each([1, 2, 3])(
  "what it leaves open has no say in how the turn ends: %d at once",
  async (concurrency) => {
    const run = openFanOut(eachOf(["bad", "slow", "slow"], { concurrency }), {
      effect: "once",
      pay: (at) => {
        if (at === "bad") throw notDone("it cannot be paid");
        return new Promise(() => {});
      },
    });
    expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "CHILD_FAILED" });
    expect(endsOf(await run.events())).toEqual(["0 error", "1 withdrawn", "2 withdrawn"]);
    expect(await run.contents("action.unknown")).toHaveLength(concurrency - 1);
    expect(await replaySample(run)).toEqual({ kind: "identical" });
  },
);

test("a run that a loser has started is named, and waited for", async () => {
  const flow: FlowNode = {
    kind: "parallel",
    join: "any",
    branches: [pay("literal:other", "hand"), pay("literal:quick")],
  };
  const budget = { toolCalls: 1, effects: 1, handoffs: 0, turns: 1 };
  const config = { loop: "pay", grant: { tools: ["local.pay"], budget } };
  const loops = [
    flowLoop(flow),
    toolLoop("pay"),
    toolLoop("hand", { tool: { implementation: "turnseal.handoff", config } }),
  ];
  const run = openFanOut(flow, {
    loops,
    grant: { handoffs: ["pay"], budget: { toolCalls: 9, effects: 9, handoffs: 2, turns: 9 } },
  });
  expect(await run.turn()).toMatchObject({ kind: "waiting" });
  expect(endsOf(await run.events())).toEqual(["1 ok", "0 withdrawn"]);
  expect(await run.turn()).toMatchObject({ kind: "waiting" });
  const claim = (await run.events()).find((event) => isClaimOf("handoff", event));
  if (claim === undefined) throw new Error("nothing was handed on");
  const [, withdrawn] = await run.contents("item.closed");
  expect(withdrawn?.runs).toEqual([claim.content.child]);
  const { turn, call, parentCall = "", sequence, content } = claim;
  const { key, reserve } = content;
  const facts = { action: "handoff", key, claim: sequence, status: "ok", durationMs: 0 } as const;
  const settled: EventDraft = {
    ...{ type: "action.settled", turn, call, parentCall, attached: { result: "late" } },
    content: { ...facts, reserve, spent: {}, receipt: "sha256:0" },
  };
  expect(await run.turn({ said: [settled] })).toMatchObject({
    outcome: "completed",
    output: "quick",
  });
  expect(endsOf(await run.events())).toEqual(["1 ok", "0 withdrawn"]);
});
