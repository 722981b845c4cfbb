/** Limits of terms are measured by the runtime, independent of what a tool declares. */
import { scriptedModel } from "@turnseal/ports";
import type { Effect, JsonValue } from "@turnseal/protocol";
import type { ToolFunction } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { LOG_WAIT_MS_MAX, RETRIES_MAX, RETRY_DELAY_MS } from "../limits.ts";
import { openRun, type SampleRun, settle } from "../turn/sample-run.test.data.ts";

const CALLS = 4;

/** A model asks for four calls at once of a tool that needs one of a resource, as it says. */
function openCalls(
  limits: Readonly<Record<string, number>>,
  run: ToolFunction<JsonValue, unknown>,
  effect: Effect = "read",
): SampleRun {
  const tools = [{ loopId: "pay", independent: true }];
  const toolCalls = Array(CALLS).fill({ tool: "local__pay", input: {} });
  const amounts = Object.fromEntries(Object.keys(limits).map((name) => [name, 1]));
  const resource = { family: "effect", resource: "bank" };
  return openRun({
    loops: [
      promptLoop("agent", { prompt: { template: "Go", variables: [], tools } }),
      toolLoop("pay", { inputSchema: { type: "object" } }),
    ],
    model: scriptedModel([{ toolCalls }, "done"]),
    tools: {
      "local.pay": {
        effect,
        needs: () => ({ terms: [{ ...resource, verb: "execute", amounts }] }),
        run,
      },
    },
    grant: {
      terms: [
        {
          ...{ id: "bank", ...resource, verbs: ["execute"], capabilities: [] },
          ...{ bounds: { limits }, conditions: [], approvals: [] },
        },
      ],
    },
  });
}

test("an act is cut off at the runtime of its term", async () => {
  const run = openCalls({ runtimeMs: 700 }, () => new Promise(() => {}));
  const turning = run.turn();
  await settle();
  const startMs = run.clock.now();
  run.clock.advance(699);
  await settle();
  expect(await run.contents("call.errored")).toEqual([]);
  run.clock.advance(1);
  expect(await turning).toMatchObject({ outcome: "timed-out" });
  const claims = (await run.contents("action.claimed")).slice(1);
  const deadlineAt = new Date(startMs + 700 + LOG_WAIT_MS_MAX).toISOString();
  expect(claims).toMatchObject(Array(CALLS).fill({ terms: ["bank"], deadlineAt }));
});

test.each([
  ["one", { fanout: 1 }, 1],
  ["some", { fanout: 3 }, 3],
  ["all", { fanout: CALLS }, CALLS],
  ["as many as there are", {}, CALLS],
])("under a term %s may act at the same time, and the rest follow", async (_, limits, most) => {
  let [acting, seen, done] = [0, 0, 0];
  const run = openCalls(limits, async () => {
    acting += 1;
    seen = Math.max(seen, acting);
    await settle();
    acting -= 1;
    done += 1;
    return {};
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect({ seen, done }).toEqual({ seen: most, done: CALLS });
});

test.each([
  [1, 1],
  [2, 2],
  [CALLS, CALLS],
])("what threw is called again in the place that it has: fanout %i", async (fanout, most) => {
  let [acting, seen] = [0, 0];
  const tries = new Map<string, number>();
  const run = openCalls(
    { fanout },
    async (_, { key }) => {
      const before = tries.get(key) ?? 0;
      tries.set(key, before + 1);
      acting += 1;
      seen = Math.max(seen, acting);
      await settle();
      acting -= 1;
      if (before < RETRIES_MAX) throw new Error("the line went dead");
      return {};
    },
    "idempotent",
  );
  let result: unknown;
  const turning = run.turn().then((ended) => {
    result = ended;
  });
  for (let waits = 0; waits < 200 && result === undefined; waits++) {
    await settle();
    run.clock.advance(RETRY_DELAY_MS);
  }
  expect(result).toMatchObject({ outcome: "completed" });
  await turning;
  expect([...tries.values()]).toEqual(Array(CALLS).fill(1 + RETRIES_MAX));
  expect(seen).toBe(most);
});
