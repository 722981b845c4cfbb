/** Flows of fan-outs as chance makes them, with crashes and answers where chance has them. */
import { type Model, scriptedModel } from "@turnseal/ports";
import type { FlowNode, Join, Policy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../../../call/sample-world.test.data.ts";
import { answer, decide, pendingIn } from "../../../gate/asked-people.test.data.ts";
import { readPolicy } from "../../../policy/compile-policy.ts";
import { openRun } from "../../../turn/sample-run.test.data.ts";
import { expectSound, flowLoop, pay } from "./sample-fan-out.test.data.ts";

type Dice = (sides: number) => number;

/** Numbers that are the same in every run of the test. */
function rollFrom(seed: number): Dice {
  let state = seed * 2_654_435_761 + 1;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % sides;
  };
}

const joins: readonly Join[] = ["all", "any", { quorum: 2 }, "all"];

/** `level` is how deep it stands, and names what is known there. */
function growNode(dice: Dice, level: number): FlowNode {
  const kind = level > 2 ? 0 : dice(6);
  const at = `literal:${["fine", "fine", "fine", "bad"][dice(4)]}`;
  if (kind < 2) return pay(at);
  if (kind === 2) return pay(at, dice(2) === 0 ? "ask" : "think");
  if (kind === 3)
    return {
      kind: "sequence",
      nodes: [growNode(dice, level + 1), { ...growNode(dice, level + 1), onError: "skip" }],
    };
  const join = joins[dice(joins.length)] ?? "all";
  const rules = {
    join,
    concurrency: 1 + dice(4),
    ...(join === "all" && dice(2) === 0 ? { onItemError: "continue" as const } : {}),
  };
  if (kind === 4)
    return {
      kind: "parallel",
      ...rules,
      branches: [0, 1, 2].map(() => growNode(dice, level + 1)),
    };
  const as = `item${level}`;
  const items = { const: [1, 2, 3].slice(0, 2 + dice(2)) };
  return { kind: "forEach", ...rules, items, max: 5, as, body: growNode(dice, level + 1) };
}

const rules: Policy["rules"] = [
  { id: "ask", decision: "ask", when: "args.at == 'fine'" },
  { id: "rest", decision: "allow" },
];

/** Calls a payment, and accepts any result. */
const model: Model = {
  defaultModel: "scripted",
  generate: async (request) => {
    const isTold = request.messages.some(({ role }) => role === "tool");
    const toolCalls = [{ tool: "local__pay", input: { at: "fine" } }];
    return scriptedModel([isTold ? "done" : { toolCalls }]).generate(request);
  },
};

function openRandom(seed: number) {
  const dice = rollFrom(seed);
  const flow: FlowNode = { kind: "parallel", branches: [growNode(dice, 0), growNode(dice, 0)] };
  let isUp = true;
  const isAsking = dice(3) > 0;
  const run = openRun({
    loops: [
      flowLoop(flow),
      toolLoop("pay"),
      toolLoop("ask", { tool: { implementation: "turnseal.question" } }),
      promptLoop("think", {
        prompt: { template: "Go", variables: [], tools: [{ loopId: "pay" }] },
      }),
    ],
    model,
    ...(isAsking ? { rules: { pinned: readPolicy({ name: "test", rules }) } } : {}),
    tools: {
      "local.pay": {
        effect: "read",
        run: async (input) => {
          for (let turns = dice(20); turns > 0; turns--) await Promise.resolve();
          if ((input as { readonly at: unknown }).at === "bad") throw new Error("bad");
          return "paid";
        },
      },
    },
    beforeAppend: () => {
      if (dice(25) === 0) isUp = false;
      if (!isUp) throw new Error("crash");
    },
    afterAppend: () => {
      if (dice(25) === 0) isUp = false;
      if (!isUp) throw new Error("crash");
    },
  });
  const go = async (): Promise<string> => {
    for (let attempt = 0; attempt < 400; attempt++) {
      isUp = true;
      const events = await run.events();
      const closed = events.find((event) => event.type === "turn.closed");
      if (closed !== undefined) return closed.content.reason ?? closed.content.outcome;
      const pending = pendingIn(events);
      const next = pending[dice(Math.max(1, pending.length))];
      const isQuestion = next?.type === "question.asked";
      const say = () => (isQuestion ? answer(next, { attached: { answer: "yes" } }) : decide(next));
      try {
        await run.turn(next === undefined ? {} : { said: [say()] });
      } catch (error) {
        if ((error as Error).message !== "crash") throw error;
      }
    }
    return "endless";
  };
  return { run, go, flow };
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "flow %i comes to its end",
  async (seed) => {
    const { run, go, flow } = openRandom(seed);
    const reason = await go();
    const known = ["completed", "CHILD_FAILED", "TOOL_FAILED"];
    expect(known, `${reason}: ${JSON.stringify(flow)}`).toContain(reason);
    expect(pendingIn(await run.events())).toEqual([]);
    await expectSound(run);
  },
);
