import { type EventSink, manualClock } from "@turnseal/ports";
import type { CallEvent } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { compositeLoop, openWorld, step, toolLoop } from "../call/sample-world.test.data.ts";

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
const loops = [
  toolLoop("work"),
  compositeLoop("pair", [step("work", { n: "$.input" }), step("work")]),
];
const tools = { work: (input: unknown) => input };

const throwNow = (): never => {
  throw new Error("a listener's own trouble");
};

test.each<[string, EventSink]>([
  ["throws", throwNow],
  ["rejects", async () => throwNow()],
  ["never resolves", () => new Promise(() => {})],
  // biome-ignore lint/suspicious/noThenProperty: a listener may answer with a hostile thenable.
  ["answers with a thenable that throws", () => ({ then: throwNow }) as unknown as Promise<void>],
  ["calls back much later", () => new Promise((resolve) => setTimeout(resolve, 1))],
  [
    "changes what it is told",
    (event) => {
      Object.assign(event, { type: "call.errored", call: "stolen" });
    },
  ],
  [
    "changes what is inside what it is told",
    (event) => {
      Object.assign(event.content, { loop: "stolen", durationMs: -1 });
    },
  ],
])("a listener that %s changes nothing", async (_, sink) => {
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", hear);
  const run = async (options: object) =>
    JSON.stringify((await openWorld({ loops, tools }).call("pair", { a: 1 }, options)).result);
  expect(await run({ sink })).toBe(await run({}));
  await settle();
  process.off("unhandledRejection", hear);
  expect(unhandled).toEqual([]);
});

test("a listener is told every event once, in the order of the trace", async () => {
  const told: CallEvent[] = [];
  const { result } = await openWorld({ loops, tools }).call(
    "pair",
    {},
    { sink: (event) => void told.push(event) },
  );
  expect(told).toHaveLength(result.trace.length);
  expect(told.map(({ call, at }) => [call, at])).toEqual(
    result.trace.map(({ callId, ts }) => [callId, ts]),
  );
});

test("times never go backwards and durations stay positive, whatever the clock does", async () => {
  const clock = manualClock();
  const jumps = [5_000, -3_600_000, 0, 17, -1, -86_400_000, 250];
  let reads = 0;
  const jumping = {
    ...clock,
    now: () => {
      clock.jump(clock.now() + (jumps[reads++ % jumps.length] ?? 0));
      return clock.now();
    },
  };
  const patient = loops.map((loop) => ({ ...loop, policy: { timeoutMs: 86_400_000 } }));
  const { result, events } = await openWorld({ loops: patient, tools, clock: jumping }).call(
    "pair",
  );
  expect(result.status).toBe("ok");
  const times = events.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  const durations = events.flatMap(({ content }) =>
    "durationMs" in content ? [content.durationMs] : [],
  );
  expect(durations.length).toBeGreaterThan(5);
  for (const durationMs of [...durations, result.durationMs]) {
    expect(Number.isSafeInteger(durationMs) && Number(durationMs) >= 0).toBe(true);
  }
});

test("a stage's duration is its own, and the whole call's is the sum", async () => {
  const clock = manualClock();
  const world = openWorld({
    loops,
    clock,
    tools: {
      work: () => {
        clock.jump(clock.now() + 40);
        return null;
      },
    },
  });
  const { result, events } = await world.call("pair");
  const durationsOf = (type: string) =>
    events.flatMap((event) =>
      event.type === type && "durationMs" in event.content ? [event.content.durationMs] : [],
    );
  expect(durationsOf("action.settled")).toEqual([40, 40]);
  expect(durationsOf("call.input.validated")).toEqual([0, 0, 0]);
  expect(durationsOf("call.completed")).toEqual([40, 40, 80]);
  expect(result.durationMs).toBe(80);
});

test("no event holds content: words of callers, tools and models stand apart", async () => {
  const world = openWorld({
    loops: [
      toolLoop("fail"),
      toolLoop("speak"),
      toolLoop("strict", { inputSchema: { type: "object", required: ["other"] } }),
      toolLoop("odd", { outputSchema: { type: "integer" } }),
      compositeLoop("nested", [step("fail", { secret: "$.input.secret" })]),
    ],
    tools: {
      fail: (input) => {
        throw new Error(`cannot use ${JSON.stringify(input)}`);
      },
      speak: (input, { log, emit }) => {
        log("info", JSON.stringify(input));
        emit("acme.said", { input });
        return input;
      },
      odd: (input) => input,
    },
  });
  for (const loopId of ["fail", "speak", "strict", "odd", "nested"]) {
    const { events, result } = await world.call(loopId, { secret: "canary" });
    const contents = JSON.stringify(events.map(({ attached: _, ...facts }) => facts));
    expect(contents, loopId).not.toContain("canary");
    if (result.status === "error" && loopId !== "strict" && loopId !== "odd") {
      expect(result.error.reason).toContain("canary");
    }
  }
});
