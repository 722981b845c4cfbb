/** Rules that look at what the run has spent, and tools that act at the same time. */
import { scriptedModel } from "@turnseal/ports";
import type { LoopEvent, Policy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { decide, pendingIn } from "../gate/asked-people.test.data.ts";
import { readPolicy } from "../policy/compile-policy.ts";
import { replaySample } from "../turn/replay-sample.test.data.ts";
import { crashAt, openRun, type SampleRun } from "../turn/sample-run.test.data.ts";

const CALLS = 4;
const CENTS = 9_000;
const isMore = "'payments.cents' in spend && spend['payments.cents'] + args.cents > 10000";
const allow: Policy["rules"][number] = { id: "first", decision: "allow" };

interface Payments extends SampleRun {
  paid(): number;
}

/** A model asks for four payments at once; from the second on the rule decides. */
function openPayments(
  decision: "ask" | "deny",
  options: Partial<Parameters<typeof openRun>[0]> = {},
): Payments {
  const keys = new Set<string>();
  const tools = [{ loopId: "pay", independent: true }];
  const toolCalls = Array(CALLS).fill({ tool: "local__pay", input: { cents: CENTS } });
  const run = openRun({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }),
      toolLoop("pay", { inputSchema: { type: "object" } }),
    ],
    // It answers from the request alone, so that it can be asked again after a crash.
    model: {
      defaultModel: "scripted",
      generate: (request) => {
        const isTold = request.messages.some(({ role }) => role === "tool");
        return scriptedModel([isTold ? "done" : { toolCalls }]).generate(request);
      },
    },
    rules: {
      pinned: readPolicy({ name: "test", rules: [allow, { id: "more", decision, when: isMore }] }),
    },
    tools: {
      "local.pay": {
        effect: "idempotent",
        needs: () => ({ amounts: { "payments.cents": CENTS } }),
        run: (_, { key }) => {
          keys.add(key);
          return {};
        },
      },
    },
    ...options,
  });
  return { ...run, paid: () => keys.size };
}

const denialsIn = (events: readonly LoopEvent[]): LoopEvent[] =>
  events.filter((event) => event.type === "call.errored" && event.content.code === "POLICY_DENIED");

test("a rule that denies what passes a sum is not passed by tools that act at once", async () => {
  const run = openPayments("deny");
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(run.paid()).toBe(1);
  expect(denialsIn(await run.events())).toHaveLength(CALLS - 1);
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test("what the rules ask for by the time of the claim is asked for, and not claimed", async () => {
  const run = openPayments("ask");
  expect(await run.turn()).toMatchObject({ kind: "waiting", for: "person" });
  expect(run.paid()).toBe(1);
  const asked = pendingIn(await run.events());
  expect(asked).toHaveLength(CALLS - 1);
  const said = asked.map((request) => decide(request));
  expect(await run.turn({ said })).toMatchObject({ outcome: "completed" });
  expect(run.paid()).toBe(CALLS);
  const claims = await run.contents("action.claimed");
  expect(claims.flatMap(({ approval }) => approval ?? [])).toEqual(
    asked.map(({ sequence }) => sequence),
  );
  expect(await replaySample(run)).toEqual({ kind: "identical" });
});

test.each(["beforeAppend", "afterAppend"] as const)("a crash %s pays no more", async (when) => {
  for (let place = 1; place <= 8; place++) {
    const run = openPayments("deny", { [when]: crashAt(place) });
    await run.turn().catch(() => {});
    if ((await run.types()).at(-1) !== "turn.closed") await run.turn();
    expect(await run.types()).toContain("turn.closed");
    expect(run.paid(), `append ${place}`).toBe(1);
  }
});
