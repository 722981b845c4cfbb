/** Every stop reason, each reached by a run of its own. */
import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import { type LoopDef, STOP_REASONS, type StopReason } from "@turnseal/protocol";
import { afterAll, expect, test } from "vitest";
import {
  ask,
  crashAt,
  openWorld,
  pay,
  type SampleWorld,
  type SampleWorldOptions,
} from "../scenarios/sample-world.test.data.ts";

const reached = new Set<string>();

async function startWorld(options: SampleWorldOptions): Promise<SampleWorld> {
  const world = openWorld(options);
  await world.start();
  return world;
}

async function expectStop(world: SampleWorld, reason: StopReason): Promise<void> {
  expect(await world.end()).toBe(reason);
  reached.add(reason);
  expect((await world.contents("run.stopped")).at(-1)).toEqual({ reason });
  expect((await world.contents("run.decided")).length).toBeGreaterThan(0);
}

const looking: ScriptedReply = { toolCalls: [{ tool: "loop__none", input: {} }] };
const withTools: LoopDef = {
  ...ask,
  prompt: { template: "Go", variables: [], tools: [{ loopId: "ask" }], maxRounds: 2 },
};

const simple: readonly [StopReason, SampleWorldOptions][] = [
  ["goal-reached", {}],
  ["turns-exhausted", { bounds: { goal: { path: "$.output.text", equals: "never" } } }],
  ["rounds-exhausted", { loop: withTools, model: scriptedModel([looking, looking]) }],
  ["budget-exhausted", { grant: { budget: { modelCalls: 0 } } }],
  ["deadline-passed", { bounds: { deadlineAt: "2026-01-01T00:00:00.000Z" } }],
  ["denied", { loop: pay, tools: { "local.pay": () => ({}) }, grant: { tools: [] } }],
  ["denied", { grant: { expiresAt: "2020-01-01T00:00:00.000Z" } }],
  [
    "failed",
    { model: scriptedModel([{ json: "no object" }]), loop: { ...ask, outputSchema: false } },
  ],
];
test.each(simple)("a run stops as %s", async (reason, options) => {
  await expectStop(await startWorld(options), reason);
});

test("a run stops as budget-exhausted when its turns are used up", async () => {
  const world = await startWorld({
    grant: { budget: { turns: 2 } },
    bounds: { goal: { path: "$.output.text", equals: "never" } },
  });
  await expectStop(world, "budget-exhausted");
  expect(await world.contents("turn.closed")).toHaveLength(2);
});

test("a run stops as cancelled", async () => {
  const world = await startWorld({});
  await world.put({ key: "c", kind: "cancel", body: { by: "me" } });
  await expectStop(world, "cancelled");
  expect(await world.contents("turn.started")).toEqual([]);
});

test("a run stops as stalled after resumesMax resumes that brought nothing", async () => {
  let asked = 0;
  const world = await startWorld({
    bounds: { resumesMax: 3 },
    model: {
      defaultModel: "scripted",
      generate: async () => {
        asked += 1;
        return new Promise(() => {});
      },
    },
  });
  // Each worker dies while it asks.
  for (let life = 0; life < 4; life++) {
    world.advance().catch(() => {});
    await new Promise((resume) => setImmediate(resume));
    expect(asked).toBe(life + 1);
  }
  await expectStop(world, "stalled");
  expect(asked).toBe(4);
  expect(await world.contents("turn.closed")).toMatchObject([{ reason: "stalled" }]);
});

test("a run stops as effect-unknown when a person gives an action up", async () => {
  const world = await startWorld({
    loop: pay,
    tools: { "local.pay": { effect: "once", run: () => ({}) } },
    see: crashAt(2),
  });
  await expect(world.advance()).rejects.toThrow("crash");
  world.clock.advance(60_000);
  const asked = await world.advance();
  const claim = "projection" in asked ? asked.projection.openTurn?.open[0] : undefined;
  const body = {
    key: claim?.key ?? "",
    claimHash: claim?.hash ?? "",
    resolution: "abandon",
    by: "me",
  };
  await world.put({ key: "r", kind: "resolve", body });
  await expectStop(world, "effect-unknown");
});

test("a run stops as drifted when its code makes other events than were recorded", async () => {
  const world = await startWorld({ see: crashAt(2) });
  await expect(world.advance()).rejects.toThrow("crash");
  const changed = openWorld({
    after: world,
    see: (stores) => ({
      ...stores,
      log: {
        ...stores.log,
        read: async (...place) =>
          (await stores.log.read(...place)).map((event) =>
            event.type === "call.input.validated"
              ? { ...event, type: "call.output.validated" as const }
              : event,
          ),
      },
    }),
  });
  await expectStop(changed, "drifted");
});

test("a run stops as receipt-missing when the receipt of its last turn is gone", async () => {
  const world = await startWorld({
    bounds: { goal: { path: "$.output.text", equals: "never" } },
    see: (stores) => ({
      ...stores,
      receipts: { ...stores.receipts, read: async () => undefined },
    }),
  });
  // A worker that stored the receipt knows that it exists; a later worker looks for it.
  await world.advance({ sliceMs: 0 });
  await expectStop(world, "receipt-missing");
});

test("a log older than its snapshot is projection-stale: nothing is written", async () => {
  const world = await startWorld({
    see: (stores) => ({
      ...stores,
      runs: {
        ...stores.runs,
        read: async (run) => ({ run, sequence: 99, state: { sequence: 99 } }),
      },
    }),
  });
  expect(await world.end()).toBe("stale");
  reached.add("projection-stale");
  expect(await world.events()).toEqual([]);
});

afterAll(() => {
  const later = ["approval-rejected", "approval-expired"];
  expect([...reached].sort()).toEqual(
    STOP_REASONS.filter((reason) => !later.includes(reason)).sort(),
  );
});
