import { type Model, ModelError, scriptedModel } from "@turnseal/ports";
import type { Effect } from "@turnseal/protocol";
import { ToolError } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import {
  RETRIES_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_DELAY_MS,
  WAIT_IN_PLACE_MS_MAX,
} from "../limits.ts";
import { crashAt, openRun, type SampleRun, settle } from "../turn/sample-run.test.data.ts";

/** Moves the clock until the turn is over, and answers with the times between its claims. */
async function listDelays(run: SampleRun, turning: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  turning.then(end, end);
  for (let guard = 0; guard < 100 && !isOver; guard++) {
    await settle();
    run.clock.advance(100);
    await settle();
  }
  const claims = (await run.events()).filter((event) => event.type === "action.claimed");
  const times = claims.map(({ at }) => Date.parse(at));
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

function unavailable(keys: string[], failures: number) {
  return (_: unknown, { key }: { readonly key: string }) => {
    keys.push(key);
    if (keys.length > failures) return { at: keys.length };
    throw new ToolError("TOOL_UNAVAILABLE", "come back later");
  };
}

test.each(["read", "idempotent"] as const)(
  "what may be repeated is retried RETRIES_MAX times, each under a key of its own: %s",
  async (effect) => {
    const keys: string[] = [];
    const run = openRun({
      loops: [toolLoop("look")],
      tools: { "local.look": { effect, run: unavailable(keys, RETRIES_MAX) } },
    });
    const turning = run.turn();
    const delays = await listDelays(run, turning);
    expect(await turning).toMatchObject({ outcome: "completed", output: { at: 3 } });
    expect(delays).toEqual([RETRY_DELAY_MS, 2 * RETRY_DELAY_MS]);
    expect(new Set(keys).size).toBe(RETRIES_MAX + 1);
    expect((await run.spending()).settled.toolCalls).toBe(RETRIES_MAX + 1);
  },
);

test("one failure past RETRIES_MAX is the end of it", async () => {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: unavailable(keys, RETRIES_MAX + 1) } },
  });
  const turning = run.turn();
  await listDelays(run, turning);
  expect(await turning).toMatchObject({ outcome: "failed", reason: "TOOL_FAILED" });
  expect(keys).toHaveLength(RETRIES_MAX + 1);
});

const single: readonly [string, Effect, () => Error][] = [
  ["a tool that acts once", "once", () => new ToolError("TOOL_UNAVAILABLE", "later")],
  ["a tool that reconciles", "reconcile", () => new ToolError("TOOL_UNAVAILABLE", "later")],
  ["a failure without a class", "read", () => new Error("no")],
];
test.each(single)("%s is not retried", async (_, effect, fail) => {
  let acts = 0;
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: {
      "local.pay": {
        effect,
        run: () => {
          acts += 1;
          throw fail();
        },
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed" });
  expect(acts).toBe(1);
});

test("a model is retried when its error says so, and not when it does not", async () => {
  const model = scriptedModel([{ failure: "busy" }, { failure: "busy" }, "at last"]);
  const run = openRun({ loops: [promptLoop("ask")], model });
  const turning = run.turn();
  await listDelays(run, turning);
  expect(await turning).toMatchObject({ outcome: "completed", output: { text: "at last" } });

  let asked = 0;
  const refusing = {
    defaultModel: "scripted",
    generate: async () => {
      asked += 1;
      throw new ModelError({ code: "MODEL_REFUSED", retry: "never", message: "no" });
    },
  };
  const other = openRun({ loops: [promptLoop("ask")], model: refusing });
  expect(await other.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(asked).toBe(1);
});

test("a retry that is recorded is not waited for again", async () => {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: unavailable(keys, 1) } },
    // The first claim, the first failure, the second claim; then the worker is gone.
    beforeAppend: crashAt(4),
  });
  const turning = run.turn();
  turning.catch(() => {});
  await listDelays(run, turning);
  await expect(turning).rejects.toThrow("crash");
  // The clock stands still: a wait would never end.
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(keys[2]).toBe(keys[1]);
});

test("a cancel ends the wait for a retry", async () => {
  const keys: string[] = [];
  const run = openRun({
    loops: [toolLoop("look")],
    tools: { "local.look": { effect: "read", run: unavailable(keys, 9) } },
  });
  const turning = run.turn();
  await settle();
  run.cancel();
  run.clock.advance(200);
  expect(await turning).toMatchObject({ outcome: "cancelled", reason: "CANCELLED" });
  expect(keys).toHaveLength(1);
});

test("what is settled is never done again: a resume answers from the record", async () => {
  const acts: string[] = [];
  const note = (name: string) => ({
    effect: "once" as const,
    run: () => {
      acts.push(name);
      return { name };
    },
  });
  const run = openRun({
    loops: [
      compositeLoop("both", [step("first", {}, "a"), step("second", {}, "b")], {
        composite: {
          steps: [step("first", {}, "a"), step("second", {}, "b")],
          outputMapping: { first: "$.a.output.name", second: "$.b.output.name" },
        },
      }),
      toolLoop("first"),
      toolLoop("second"),
    ],
    tools: { "local.first": note("first"), "local.second": note("second") },
    // The claim of the second tool, with the settlement of the first.
    afterAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(acts).toEqual(["first"]);
  run.clock.advance(60_000);
  expect(await run.turn()).toEqual({ kind: "waiting", untilMs: undefined, for: "person" });
  const word = { resolution: "retry" } as const;
  expect(await run.turn({ word })).toMatchObject({
    outcome: "completed",
    output: { first: "first", second: "second" },
  });
  expect(acts).toEqual(["first", "second"]);
});

test("a failure that is settled is read again with its words", async () => {
  const model = scriptedModel([{ toolCalls: [{ tool: "local__look", input: {} }] }]);
  const run = openRun({
    loops: [
      promptLoop("ask", {
        prompt: { template: "Go", variables: [], tools: [{ loopId: "look" }] },
      }),
      toolLoop("look"),
    ],
    model,
    tools: {
      "local.look": {
        effect: "read",
        run: () => {
          throw new Error("out of paper");
        },
      },
    },
    afterAppend: crashAt(3),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const heard = model.requests.at(-1)?.messages.at(-1);
  expect(heard).toMatchObject({
    role: "tool",
    result: { error: "TOOL_FAILED", reason: "out of paper" },
  });
});

/** A provider that asks to be left alone so long, and then answers. */
function openAskedToWait(retryAfterMs: number) {
  const answering = scriptedModel();
  let asked = 0;
  const model: Model = {
    defaultModel: "busy",
    generate: async (request) => {
      asked += 1;
      if (asked === 1)
        throw new ModelError({
          code: "MODEL_RATE_LIMITED",
          retry: "retry",
          message: "busy",
          retryAfterMs,
        });
      return answering.generate(request);
    },
  };
  return { run: openRun({ loops: [promptLoop("ask")], model }), asked: () => asked };
}

test("a provider is left alone as it asks: in place up to WAIT_IN_PLACE_MS_MAX", async () => {
  const { run, asked } = openAskedToWait(WAIT_IN_PLACE_MS_MAX);
  const turning = run.turn();
  await settle();
  run.clock.advance(WAIT_IN_PLACE_MS_MAX - 1);
  await settle();
  expect(asked()).toBe(1);
  run.clock.advance(1);
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(await run.contents("action.settled")).toMatchObject([
    { failure: "MODEL_RATE_LIMITED", retryAfterMs: WAIT_IN_PLACE_MS_MAX },
    { status: "ok" },
  ]);
});

test.each([WAIT_IN_PLACE_MS_MAX + 1, RETRY_AFTER_MS_MAX])(
  "a wait of %i ms is a pause, and the turn goes on at its time",
  async (retryAfterMs) => {
    const { run, asked } = openAskedToWait(retryAfterMs);
    const untilMs = run.clock.now() + retryAfterMs;
    expect(await run.turn()).toEqual({ kind: "waiting", for: "time", untilMs });
    run.clock.advance(retryAfterMs / 2);
    if (retryAfterMs / 2 > WAIT_IN_PLACE_MS_MAX)
      expect(await run.turn()).toEqual({ kind: "waiting", for: "time", untilMs });
    run.clock.advance(retryAfterMs / 2);
    expect(await run.turn()).toMatchObject({ outcome: "completed" });
    expect(asked()).toBe(2);
  },
);

test("a provider that asks for more than RETRY_AFTER_MS_MAX is not asked again", async () => {
  const { run, asked } = openAskedToWait(RETRY_AFTER_MS_MAX + 1);
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(asked()).toBe(1);
});

test.each([-1, 0, Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
  "a provider that asks for %d ms has asked for nothing",
  async (retryAfterMs) => {
    const { run } = openAskedToWait(retryAfterMs);
    const turning = run.turn();
    await settle();
    run.clock.advance(500);
    expect(await turning).toMatchObject({ outcome: "completed" });
    expect((await run.contents("action.settled"))[0]).not.toHaveProperty("retryAfterMs");
  },
);

test("what a tool gave is used as the log has it: a resume writes the same prompt", async () => {
  const asked: string[] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: (request) => {
      asked.push(JSON.stringify(request.messages));
      return scriptedModel(["fine"]).generate(request);
    },
  };
  let isDown = true;
  const run = openRun({
    loops: [
      compositeLoop("both", [
        step("look", {}, "seen"),
        step("say", { seen: "$.seen.output" }, "said"),
      ]),
      toolLoop("look"),
      promptLoop("say", { prompt: { template: "Say {{seen}}", variables: ["seen"] } }),
    ],
    model,
    tools: { "local.look": { effect: "read", run: () => ({ b: 1, a: { d: 2, c: [3] } }) } },
    beforeAppend: ({ events }) => {
      if (isDown && events.some(({ type }) => type === "turn.closed")) throw new Error("crash");
    },
  });
  await expect(run.turn()).rejects.toThrow("crash");
  isDown = false;
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "fine" } });
  const written = String.raw`Say {\"a\":{\"c\":[3],\"d\":2},\"b\":1}`;
  expect(asked.map((text) => text.includes(written))).toEqual(asked.map(() => true));
});
