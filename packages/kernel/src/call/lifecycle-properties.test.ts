/**
 * Properties that hold for every tree of calls, for all tools and all cancels.
 *
 * The trees are random: composites over tools that answer, throw, wait, hang, obey or emit. Each
 * has a deadline of its own or none, and is cancelled before, during or after.
 */
import { type ManualClock, manualClock, type Tool } from "@turnseal/ports";
import { canonicalize, type LoopDef } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  codeOf,
  compositeLoop,
  openWorld,
  type SampleCall,
  step,
  toolLoop,
} from "./sample-world.test.data.ts";

type Plan = ToolPlan | { readonly kind: "composite"; readonly steps: readonly Plan[] };

interface ToolPlan {
  readonly kind: "answer" | "throw" | "reject" | "hang" | "obey" | "talk" | "misfit";
  readonly delayMs: number;
  readonly timeoutMs?: number;
}

/** A tree of calls, and when the caller cancels it, if at all: below zero, before it starts. */
interface Scenario {
  readonly plan: Plan;
  readonly cancelAtMs: number | undefined;
}

const delayMs = fc.integer({ min: 0, max: 60 });
const timeoutMs = fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined });

const anyTool: fc.Arbitrary<ToolPlan> = fc
  .record({
    kind: fc.constantFrom("answer", "answer", "throw", "reject", "hang", "obey", "talk", "misfit"),
    delayMs,
    timeoutMs,
  })
  .map(({ timeoutMs: ownMs, ...plan }) =>
    ownMs === undefined ? plan : { ...plan, timeoutMs: ownMs },
  );

const { plan: anyPlan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyTool,
    fc.record({
      kind: fc.constant("composite" as const),
      steps: fc.array(tie("plan"), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  plan: anyPlan,
  cancelAtMs: fc.option(fc.integer({ min: -10, max: 150 }), { nil: undefined }),
});

/** Runs scenarios at the same time on one executor and one clock, until all have ended. */
async function runScenarios(scenarios: readonly Scenario[]): Promise<SampleCall[]> {
  const clock = manualClock();
  const loops: LoopDef[] = [];
  const tools: Record<string, Tool> = {};
  scenarios.forEach(({ plan }, index) => {
    layOut(plan, `plan-${index}`, { clock, loops, tools });
  });
  const world = openWorld({ loops, tools, clock });
  const controllers = scenarios.map(({ cancelAtMs = 0 }) => {
    const controller = new AbortController();
    if (cancelAtMs < 0) controller.abort();
    return controller;
  });
  const calls: SampleCall[] = [];
  const pending = scenarios.map((_, index) =>
    world
      .call(
        `plan-${index}`,
        { of: index },
        { signal: (controllers[index] as AbortController).signal },
      )
      .then((call) => {
        calls[index] = call;
      }),
  );
  // Longer than the longest deadline: every call has ended then.
  for (let nowMs = 0; nowMs < 40_000; nowMs += nowMs < 200 ? 5 : 5_000) {
    scenarios.forEach(({ cancelAtMs }, index) => {
      if (cancelAtMs !== undefined && nowMs >= cancelAtMs) controllers[index]?.abort();
    });
    await yieldToTasks();
    clock.advance(nowMs < 200 ? 5 : 5_000);
    await yieldToTasks();
    if (calls.filter(() => true).length === scenarios.length) break;
  }
  await Promise.all(pending);
  const ended = JSON.stringify(calls);
  for (const controller of controllers) controller.abort();
  clock.advance(1_000_000);
  await yieldToTasks();
  expect(JSON.stringify(calls), "nothing happens after the end").toBe(ended);
  return calls;
}

async function yieldToTasks(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

interface Site {
  readonly clock: ManualClock;
  readonly loops: LoopDef[];
  readonly tools: Record<string, Tool>;
}

/** Turns a plan into loops and functions. */
function layOut(plan: Plan, id: string, site: Site): void {
  if (plan.kind === "composite") {
    plan.steps.forEach((below, index) => {
      layOut(below, `${id}-${index}`, site);
    });
    const steps = plan.steps.map((_, index) => step(`${id}-${index}`, { of: "$.input.of" }));
    site.loops.push(compositeLoop(id, steps));
    return;
  }
  const policy = plan.timeoutMs === undefined ? {} : { policy: { timeoutMs: plan.timeoutMs } };
  site.loops.push(toolLoop(id, { ...policy, outputSchema: { type: "object" } }));
  site.tools[id] = createTool(plan, site.clock);
}

function createTool({ kind, delayMs: waitMs }: ToolPlan, clock: ManualClock): Tool {
  return async (input, { signal, log, emit }) => {
    if (kind === "throw") throw new Error("thrown at once");
    if (kind === "talk") log("info", "before");
    await new Promise<void>((resolve, reject) => {
      if (kind !== "hang") clock.after(waitMs, resolve);
      if (kind === "obey") signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
    // A tool may ignore its cancel and go on emitting.
    if (kind === "talk") emit("acme.after", { of: input });
    if (kind === "reject") throw new Error("thrown late");
    return kind === "misfit" ? "no object" : input;
  };
}

const isTerminal = ({ type }: CallEvent) => type === "call.completed" || type === "call.errored";

/** Reads a trace as nested frames; throws where it is none. */
function readFrames({ events, result }: SampleCall): Set<string> {
  const open: string[] = [];
  const seen = new Set<string>();
  let announced: string | undefined = result.callId;
  let closed: string | undefined;
  for (const event of events) {
    if (event.type === "call.started") {
      expect(event.call, "a call is announced before it starts").toBe(announced);
      expect(seen.has(event.call), "a call starts once").toBe(false);
      expect(event.parentCall).toBe(open.at(-1));
      seen.add(event.call);
      open.push(event.call);
      announced = undefined;
    }
    expect(event.call, "an event belongs to the innermost open call").toBe(open.at(-1));
    if (event.type === "child.started") announced = event.content.child;
    if (event.type === "child.completed") {
      expect(event.content.child, "a child is closed right after its end").toBe(closed);
    }
    closed = isTerminal(event) ? open.pop() : undefined;
  }
  expect(open, "every call has ended").toEqual([]);
  expect(closed, "the root ends last").toBe(result.callId);
  return seen;
}

function checkTimes({ events, result }: SampleCall): void {
  const times = events.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  for (const { content } of events) {
    if ("durationMs" in content) expect(content.durationMs).toBeGreaterThanOrEqual(0);
  }
  expect([result.startedAt, result.endedAt]).toEqual([times[0], times.at(-1)]);
}

function checkResult({ events, result }: SampleCall): void {
  const last = events.at(-1);
  expect(last?.type).toBe(result.status === "ok" ? "call.completed" : "call.errored");
  if (result.status === "error") {
    const { reason: _, ...recorded } = result.error;
    expect(last?.content).toEqual(recorded);
  }
}

test("every call has one terminal event, last, and children stay in their frames", async () => {
  const codes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      for (const call of await runScenarios([scenario])) {
        readFrames(call);
        checkTimes(call);
        checkResult(call);
        const code = codeOf(call) ?? "ok";
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    }),
    { seed: 2, numRuns: 300 },
  );
  // The scenarios reach every way in which such a call can end.
  expect([...codes.keys()].sort()).toEqual([
    "CANCELLED",
    "CHILD_FAILED",
    "OUTPUT_VALIDATION_FAILED",
    "TIMEOUT",
    "TOOL_FAILED",
    "ok",
  ]);
});

test("calls that run at the same time never mix ids or traces", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyScenario, { minLength: 2, maxLength: 8 }), async (scenarios) => {
      const calls = await runScenarios(scenarios);
      const all = calls.map(readFrames);
      const ids = all.flatMap((seen) => [...seen]);
      expect(new Set(ids).size).toBe(ids.length);
      calls.forEach(({ events, result }, index) => {
        expect(events.every(({ call }) => all[index]?.has(call))).toBe(true);
        if (result.status === "ok") expect(result.output).toEqual({ of: index });
      });
    }),
    { seed: 3, numRuns: 100 },
  );
});

test("the same scenario twice leaves the same bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyScenario, { minLength: 1, maxLength: 4 }), async (scenarios) => {
      const run = async () =>
        canonicalize(
          (await runScenarios(scenarios)).map(({ events, result }) => ({ events, result })),
        );
      expect(await run()).toBe(await run());
    }),
    { seed: 4, numRuns: 100 },
  );
});
