import { manualClock, scriptedModel, type Tool } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { expect, test, vi } from "vitest";
import {
  COMPOSITE_TIMEOUT_MS_DEFAULT,
  PROMPT_TIMEOUT_MS_DEFAULT,
  TOOL_TIMEOUT_MS_DEFAULT,
} from "../limits.ts";
import {
  codeOf,
  compositeLoop,
  openWorld,
  promptLoop,
  type SampleCall,
  step,
  toolLoop,
  typesOf,
} from "./sample-world.test.data.ts";

const settle = () => new Promise<void>((resolve) => setTimeout(resolve));
const hang: Tool = () => new Promise(() => {});
const withTimeout = (timeoutMs: number): Partial<LoopDef> => ({ policy: { timeoutMs } });

/** Starts a call, lets it run until it waits, and moves the clock. */
async function callFor(
  ms: number,
  options: Omit<Parameters<typeof openWorld>[0], "clock">,
  loopId: string,
): Promise<SampleCall | "unfinished"> {
  const clock = manualClock();
  let ended: SampleCall | undefined;
  void openWorld({ ...options, clock })
    .call(loopId)
    .then((call) => {
      ended = call;
    });
  await settle();
  clock.advance(ms);
  await settle();
  return ended ?? "unfinished";
}

const codeAfter = async (...call: Parameters<typeof callFor>) => {
  const ended = await callFor(...call);
  return ended === "unfinished" ? ended : codeOf(ended);
};

test("each kind has a deadline of its own when its loop does not say one", async () => {
  const tool = { loops: [toolLoop("slow")], tools: { slow: hang } };
  const prompt = {
    loops: [promptLoop("slow")],
    models: { sample: scriptedModel([{ silence: true }, { silence: true }]) },
  };
  const composite = {
    loops: [
      toolLoop("slow", withTimeout(COMPOSITE_TIMEOUT_MS_DEFAULT * 2)),
      compositeLoop("outer", [step("slow")]),
    ],
    tools: { slow: hang },
  };
  for (const [options, loopId, limitMs] of [
    [tool, "slow", TOOL_TIMEOUT_MS_DEFAULT],
    [prompt, "slow", PROMPT_TIMEOUT_MS_DEFAULT],
    [composite, "outer", COMPOSITE_TIMEOUT_MS_DEFAULT],
  ] as const) {
    expect(await codeAfter(limitMs - 1, options, loopId)).toBe("unfinished");
    expect(await codeAfter(limitMs, options, loopId)).toBe("TIMEOUT");
  }
});

test("a policy sets the deadline", async () => {
  const options = { loops: [toolLoop("slow", withTimeout(50))], tools: { slow: hang } };
  expect(await codeAfter(49, options, "slow")).toBe("unfinished");
  const call = await callFor(50, options, "slow");
  expect(call).toMatchObject({ result: { durationMs: 50, error: { code: "TIMEOUT" } } });
  if (call === "unfinished") return;
  expect(call.events.slice(-2)).toMatchObject([
    { type: "action.settled", content: { status: "timed-out", durationMs: 50 } },
    { type: "call.errored" },
  ]);
});

test("a child that runs into its own deadline is CHILD_FAILED above", async () => {
  const loops = [toolLoop("slow", withTimeout(10)), compositeLoop("outer", [step("slow")])];
  const call = await callFor(10, { loops, tools: { slow: hang } }, "outer");
  expect(call).toMatchObject({
    result: { error: { code: "CHILD_FAILED", details: { step: { index: 0, code: "TIMEOUT" } } } },
  });
});

test("a child that runs into the deadline above it is TIMEOUT above", async () => {
  const loops = [
    toolLoop("slow", withTimeout(1_000)),
    compositeLoop("inner", [step("slow")], withTimeout(500)),
    compositeLoop("outer", [step("inner")], withTimeout(100)),
  ];
  const call = await callFor(100, { loops, tools: { slow: hang } }, "outer");
  expect(call).toMatchObject({
    result: { error: { code: "TIMEOUT", details: { step: { index: 0, code: "TIMEOUT" } } } },
  });
  if (call === "unfinished") return;
  // Calls below get no more time than the root has.
  const claim = call.events.find((event) => event.type === "action.claimed");
  expect(claim?.content).toMatchObject({ deadlineAt: "2026-01-01T00:00:00.100Z" });
});

test("between two deadlines, the levels within the passed one time out", async () => {
  const loops = [
    toolLoop("slow"),
    compositeLoop("inner", [step("slow")], withTimeout(100)),
    compositeLoop("outer", [step("inner")], withTimeout(200)),
  ];
  const call = await callFor(100, { loops, tools: { slow: hang } }, "outer");
  expect(call).toMatchObject({
    result: { error: { code: "CHILD_FAILED", details: { step: { code: "TIMEOUT" } } } },
  });
});

test("a composite starts no step at or after its deadline", async () => {
  const clock = manualClock();
  const second = vi.fn(() => null);
  const world = openWorld({
    clock,
    loops: [
      toolLoop("first"),
      toolLoop("second"),
      compositeLoop("outer", [step("first"), step("second")], withTimeout(100)),
    ],
    tools: {
      first: () => {
        clock.jump(clock.now() + 99);
        queueMicrotask(() => clock.jump(clock.now() + 1));
        return null;
      },
      second,
    },
  });
  const call = await world.call("outer");
  expect(codeOf(call)).toBe("TIMEOUT");
  expect(second).not.toHaveBeenCalled();
});

test("at its deadline a tool is told to stop, and what it answers later is not heard", async () => {
  const clock = manualClock();
  let answerLate = (_: unknown): void => {};
  let isTold = false;
  const world = openWorld({
    clock,
    loops: [toolLoop("deaf", withTimeout(10))],
    tools: {
      deaf: (_, { signal, log }) => {
        signal.addEventListener("abort", () => {
          isTold = true;
        });
        return new Promise((resolve) => {
          answerLate = (value) => {
            log("info", "late");
            resolve(value);
          };
        });
      },
    },
  });
  const pending = world.call("deaf");
  await settle();
  expect(isTold).toBe(false);
  clock.advance(10);
  const call = await pending;
  answerLate({ value: "late" });
  await settle();
  expect(isTold).toBe(true);
  expect(codeOf(call)).toBe("TIMEOUT");
  expect(call.events.filter((event) => event.type === "log")).toEqual([]);
  expect(typesOf(call).at(-1)).toBe("call.errored");
});

test("a tool that rejects because it was told to stop is TIMEOUT, not TOOL_FAILED", async () => {
  const obedient: Tool = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  const options = { loops: [toolLoop("obedient", withTimeout(5))], tools: { obedient } };
  expect(await codeAfter(5, options, "obedient")).toBe("TIMEOUT");
});

test("a call that ended leaves no timer behind", async () => {
  const clock = manualClock();
  const after = vi.fn(clock.after);
  const cancelled: number[] = [];
  const counting = {
    ...clock,
    after: (delayMs: number, callback: () => void) => {
      const cancel = after(delayMs, callback);
      return () => {
        cancelled.push(delayMs);
        cancel();
      };
    },
  };
  const world = openWorld({
    clock: counting,
    loops: [toolLoop("quick")],
    tools: { quick: () => 1 },
  });
  await world.call("quick");
  expect(after).toHaveBeenCalledTimes(1);
  expect(cancelled).toEqual([TOOL_TIMEOUT_MS_DEFAULT]);
});
