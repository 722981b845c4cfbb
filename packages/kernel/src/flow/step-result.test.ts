import { manualClock, type Tool } from "@turnseal/ports";
import { pickCallEvents, toTrace } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { compositeLoop, openWorld, step, toolLoop } from "../call/sample-world.test.data.ts";
import { crashAt, openRun } from "../turn/sample-run.test.data.ts";

const whole = compositeLoop("whole", [
  step("look", { a: { const: 1 } }, "seen"),
  step("keep", { seen: "$.seen" }),
]);
const loops = [whole, toolLoop("look"), toolLoop("keep")];

test("a later step is given the whole result, with its times and its trace", async () => {
  const clock = manualClock();
  const given: unknown[] = [];
  const look: Tool = (_, { log }) => {
    log("info", "looking");
    clock.advance(1_500);
    return { found: true };
  };
  const keep: Tool = (input) => given.push(input);
  const { result } = await openWorld({ loops, clock, tools: { look, keep } }).call("whole");
  expect(result.status).toBe("ok");
  expect(given).toMatchObject([
    {
      seen: {
        ...{ loopId: "look", loopVersion: "1.0.0", status: "ok", output: { found: true } },
        durationMs: 1_500,
      },
    },
  ]);
  const [{ seen }] = given as [{ seen: Record<string, unknown> }];
  const own = result.trace.filter(({ callId }) => callId === seen["callId"]);
  expect(seen["trace"]).toEqual(own);
  expect([seen["startedAt"], seen["endedAt"]]).toEqual([own[0]?.ts, own.at(-1)?.ts]);
  expect(JSON.stringify(seen["trace"])).toContain("looking");
});

test.each([1, 2])(
  "a turn that breaks off after append %i goes on to the same result",
  async (place) => {
    const run = openRun({
      loops,
      tools: {
        "local.look": { effect: "idempotent", run: () => ({ found: true }) },
        "local.keep": { effect: "idempotent", run: (input) => input },
      },
      afterAppend: crashAt(place),
    });
    const isBroken = await run.turn().then(
      () => false,
      () => true,
    );
    run.clock.advance(60_000);
    const closed = isBroken ? await run.turn() : undefined;
    const events = await run.events();
    const call = events.find((event) => event.type === "child.started")?.content.child;
    const own = toTrace(pickCallEvents(events.filter((event) => event.call === call)));
    expect(own.at(-1)?.type).toBe("call.completed");
    if (closed !== undefined)
      expect(closed).toMatchObject({ outcome: "completed", output: { seen: { trace: own } } });
  },
);
