// Waits of flows, from their beginning to their end, through a real host.

import { applyEvent, emptyProjection } from "@turnseal/folds";
import {
  canonicalize,
  type FlowNode,
  type JsonObject,
  type JsonValue,
  type LoopDef,
} from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { dues } from "../../decide/dues.ts";
import { readWaiting } from "../../read/run/waiting.ts";
import { readContent } from "../../state/read-content.ts";
import {
  crashAt,
  openWorld,
  pay,
  RUN,
  type SampleWorld,
  type SampleWorldOptions,
  signingKey,
} from "../sample-world.test.data.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const header = { name: "n", version: "1.0.0", inputSchema: true, outputSchema: true } as const;

const question: LoopDef = {
  ...{ ...header, id: "which", kind: "tool" },
  outputSchema: { type: "object", required: ["name"] },
  tool: { implementation: "turnseal.question" },
};

function flowOf(flow: FlowNode): LoopDef {
  return { ...header, id: "desk", kind: "composite", composite: { flow } };
}

function openFlow(flow: FlowNode, options: Partial<SampleWorldOptions> = {}): SampleWorld {
  return openWorld({
    ...{ loop: flowOf(flow), loops: [question, pay], input: {} },
    grant: { tools: ["turnseal.question", "local.pay"] },
    tools: { "local.pay": { effect: "idempotent", run: (input) => input as JsonObject } },
    bounds: { resumesMax: 20 },
    ...options,
  });
}

let signals = 0;
function signal(world: SampleWorld, name: string, payload: JsonValue): Promise<unknown> {
  signals += 1;
  return world.put({ key: `s${signals}`, kind: "signal", body: { name, payload, by: "ada" } });
}

async function outputOf(world: SampleWorld): Promise<JsonValue | undefined> {
  const [closed] = await world.contents("turn.closed");
  return closed?.output === undefined ? undefined : readContent(world.stores, RUN, closed.output);
}

/** Carries a run as long as it moves. */
async function drive(world: SampleWorld): Promise<string> {
  for (let step = 0; step < 50; step++) {
    const end = await world.end();
    if (end !== "continue") return end;
  }
  throw new Error("it goes on for ever");
}

async function findingsOf(world: SampleWorld): Promise<readonly object[]> {
  const events = await world.events();
  const sealed = await world.stores.receipts.list(RUN, 1);
  const receipts = sealed.map(({ envelope }) => canonicalize(envelope));
  const { findings } = await verifyRun({ run: RUN, events, receipts }, { keys: [signingKey] });
  return findings.filter(({ code }) => code !== "RUN_UNSEALED" && code !== "TAIL_UNSEALED");
}

const paid: FlowNode = { kind: "wait", name: "paid", for: { signal: "paid" } };
const text = { type: "string" } as const;

describe("a wait for a signal", () => {
  test("parks the turn, and gives what the signal brings", async () => {
    const world = openFlow(paid);
    await world.start();
    expect(await drive(world)).toBe("wait");
    expect(await world.contents("turn.waiting")).toEqual([
      { for: "signal", signals: ["paid"], until: "2026-01-02T00:00:00.001Z" },
    ]);
    await signal(world, "paid", { cents: 5 });
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ cents: 5 });
    expect(await world.contents("turn.started")).toHaveLength(1);
    const events = await world.events();
    const asked = events.find(({ type }) => type === "question.asked");
    const given = events.find(({ type }) => type === "signal.received");
    expect(asked?.content).toMatchObject({ to: "signal", signal: "paid", path: "/flow" });
    expect(given?.content).toMatchObject({ name: "paid", wait: asked?.sequence });
    expect(await world.contents("question.answered")).toMatchObject([
      { question: asked?.sequence, signal: given?.sequence, roles: [], path: "/flow" },
    ]);
    expect(await findingsOf(world)).toEqual([]);
  });

  test("is no question to a person", async () => {
    const world = openFlow(paid);
    await world.start();
    const { projection } = await world.advance();
    expect(projection?.openTurn?.asked).toEqual([]);
    const stored = await world.stores.runs.read(RUN);
    expect(stored?.waiting).toBeUndefined();
    expect(stored?.dueAt).toBe("2026-01-02T00:00:00.001Z");
  });

  test("passes by what its schema refuses, and what has another name", async () => {
    const world = openFlow({ ...paid, for: { signal: "paid", schema: text } } as FlowNode);
    await world.start();
    await drive(world);
    await signal(world, "paid", 7);
    await signal(world, "other", "x");
    expect(await drive(world)).toBe("wait");
    await signal(world, "paid", "yes");
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toBe("yes");
  });

  test("counts one that came before it, once", async () => {
    const [first, second] = ["a", "b"].map((name) => ({ ...paid, name }));
    const nodes = [first, second] as FlowNode[];
    const world = openFlow({
      ...{ kind: "sequence", nodes },
      outputMapping: { a: "$.a.output", b: "$.b.output" },
    });
    await world.start();
    await signal(world, "paid", 1);
    expect(await drive(world)).toBe("wait");
    expect(await world.contents("question.answered")).toHaveLength(1);
    await signal(world, "paid", 2);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ a: 1, b: 2 });
    expect(await findingsOf(world)).toEqual([]);
  });

  test("one that came before it and does not fit is named to whoever looks", async () => {
    const wait = { ...paid, for: { signal: "paid", schema: text } } as FlowNode;
    const world = openFlow(wait);
    const unfit = async () => {
      const projection = (await world.events()).reduce(applyEvent, emptyProjection(RUN));
      return (await readWaiting(world.stores, projection)).unfit;
    };
    await world.start();
    await signal(world, "paid", 1);
    await signal(world, "other", 1);
    expect(await drive(world)).toBe("wait");
    expect(await unfit()).toEqual(["paid"]);
    await signal(world, "paid", "yes");
    expect(await drive(world)).toBe("goal-reached");
    expect(await unfit()).toEqual([]);
  });

  test("several that came before are taken in the order of the log", async () => {
    const nodes = ["a", "b", "c"].map((name) => ({ ...paid, name }) as FlowNode);
    const outputMapping = { a: "$.a.output", b: "$.b.output", c: "$.c.output" };
    const world = openFlow({ kind: "sequence", nodes, outputMapping });
    await world.start();
    for (const cents of [1, 2, 3]) await signal(world, "paid", cents);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ a: 1, b: 2, c: 3 });
  });

  test("one that came before it goes before one that comes while it is said", async () => {
    const nodes: FlowNode[] = [
      { kind: "call", loopId: "pay", inputMapping: {} },
      ...["a", "b"].map((name) => ({ ...paid, name }) as FlowNode),
    ];
    const outputMapping = { a: "$.a.output", b: "$.b.output" };
    const run = async (): Promise<JsonObject> => {
      await signal(world, "paid", 2);
      return {};
    };
    const world: SampleWorld = openFlow(
      { kind: "sequence", nodes, outputMapping },
      { tools: { "local.pay": { effect: "idempotent", run } } },
    );
    await world.start();
    await signal(world, "paid", 1);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ a: 1, b: 2 });
  });

  test("too late fails it, and the signal is there for the next", async () => {
    const late: FlowNode = { ...paid, withinMs: 1_000, onTimeout: "continue" } as FlowNode;
    const nodes = [
      { ...late, name: "a" },
      { ...paid, name: "b" },
    ] as FlowNode[];
    const outputMapping = { a: "$.a.output", b: "$.b.output" };
    const world = openFlow({ kind: "sequence", nodes, outputMapping });
    await world.start();
    await drive(world);
    world.clock.advance(1_001);
    await signal(world, "paid", 1);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ a: null, b: 1 });
    expect(await world.contents("approval.expired")).toMatchObject([{ path: "/flow/nodes/0" }]);
  });

  test("in time counts, however late it is read", async () => {
    const world = openFlow({ ...paid, withinMs: 1_000 } as FlowNode);
    await world.start();
    await drive(world);
    world.clock.advance(1_000);
    await signal(world, "paid", 1);
    world.clock.advance(DAY_MS);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toBe(1);
  });

  test("without one it fails with TIMEOUT, as any node does", async () => {
    const world = openFlow({ ...paid, withinMs: 1_000 } as FlowNode);
    await world.start();
    await drive(world);
    world.clock.advance(1_001);
    expect(await drive(world)).toBe("failed");
    expect(await world.contents("turn.closed")).toMatchObject([
      { outcome: "timed-out", reason: "TIMEOUT" },
    ]);
    expect(await findingsOf(world)).toEqual([]);
  });

  test("is tried again where its node says so, each try with a wait of its own", async () => {
    const retry = { strategy: "immediate", max: 2 } as const;
    const world = openFlow({ ...paid, withinMs: 1_000, retry } as FlowNode);
    await world.start();
    await drive(world);
    world.clock.advance(1_001);
    expect(await drive(world)).toBe("wait");
    await signal(world, "paid", 2);
    expect(await drive(world)).toBe("goal-reached");
    const paths = (await world.contents("question.asked")).map(({ path }) => path);
    expect(paths).toEqual(["/flow", "/flow/tries/2"]);
    expect(await outputOf(world)).toBe(2);
  });

  test("a cancel ends it", async () => {
    const world = openFlow(paid);
    await world.start();
    await drive(world);
    await world.put({ key: "stop", kind: "cancel", body: { by: "ada" } });
    expect(await drive(world)).toBe("cancelled");
    expect(await world.contents("turn.closed")).toMatchObject([{ outcome: "cancelled" }]);
  });

  test("goes on in another process, and folds again to the same", async () => {
    const before = openFlow(paid);
    await before.start();
    await drive(before);
    const world = openFlow(paid, { after: before });
    await signal(world, "other", 1);
    const { projection } = await world.advance();
    const folded = (await world.events()).reduce(applyEvent, emptyProjection(RUN));
    expect(projection).toEqual(folded);
    await signal(world, "paid", 2);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toBe(2);
  });

  test("another wait under an open turn is found, and nothing is done", async () => {
    const before = openFlow(paid);
    await before.start();
    await drive(before);
    await signal(before, "paid", 1);
    const world = openFlow({ ...paid, for: { signal: "sent" } } as FlowNode, { after: before });
    expect(await drive(world)).not.toBe("goal-reached");
    expect(await outputOf(world)).toBeUndefined();
  });
});

describe("a run whose turns begin with the same signal", () => {
  const bounds = { awaits: ["paid"], turnsMax: 3, nextInput: { word: "$.signals.paid" } };

  test("gives it to the open wait first, and the next to a turn", async () => {
    const world = openFlow(paid, { bounds: { ...bounds, resumesMax: 20 } });
    await world.start();
    expect(await drive(world)).toBe("wait");
    await signal(world, "paid", "first");
    expect(await drive(world)).toBe("wait");
    expect(await outputOf(world)).toBe("first");
    expect(await world.contents("turn.started")).toHaveLength(1);
    await signal(world, "paid", "second");
    expect(await drive(world)).toBe("wait");
    expect(await world.contents("turn.started")).toHaveLength(2);
    // The turn that it began waits for one more.
    await signal(world, "paid", "third");
    await drive(world);
    const answers = await world.contents("question.answered");
    const given = (await world.events()).filter(({ type }) => type === "signal.received");
    expect(answers.map(({ signal: from }) => from)).toEqual([
      given[0]?.sequence,
      given[2]?.sequence,
    ]);
    expect(await findingsOf(world)).toEqual([]);
  });
});

describe("a wait for an answer", () => {
  const asked: FlowNode = {
    ...{ kind: "wait", withinMs: 60_000 },
    for: { question: { loopId: "which", inputMapping: {} } },
  };
  const answer = async (world: SampleWorld, given: JsonObject) => {
    const { projection } = await world.advance();
    const [request] = projection?.openTurn?.asked ?? [];
    const body = { question: request?.hash ?? "", answer: given, by: { id: "ada", roles: [] } };
    await world.put({ key: `a${JSON.stringify(given)}`, kind: "answer", body });
  };

  test("is a question with the time of the node, and gives the answer", async () => {
    const world = openFlow(asked);
    await world.start();
    expect(await drive(world)).toBe("wait");
    expect(await world.contents("question.asked")).toMatchObject([
      { to: "person", decideBy: "2026-01-01T00:01:00.000Z" },
    ]);
    expect(await world.contents("turn.waiting")).toMatchObject([{ for: "person" }]);
    await answer(world, { name: "Ada" });
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toEqual({ name: "Ada" });
  });

  test("that does not come fails with TIMEOUT, and is no denial", async () => {
    const world = openFlow(asked);
    await world.start();
    await drive(world);
    world.clock.advance(60_001);
    expect(await drive(world)).toBe("failed");
    expect(await world.contents("turn.closed")).toMatchObject([{ reason: "TIMEOUT" }]);
  });

  test("that does not come gives null where the node goes on", async () => {
    const world = openFlow({ ...asked, onTimeout: "continue" } as FlowNode);
    await world.start();
    await drive(world);
    world.clock.advance(60_001);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toBeNull();
    expect(await findingsOf(world)).toEqual([]);
  });
});

describe("a wait for a time", () => {
  const until = (instant: JsonValue, withinMs?: number): FlowNode => ({
    ...{ kind: "wait", for: { until: { const: instant } } },
    ...(withinMs === undefined ? {} : { withinMs }),
  });

  test("parks the turn until then", async () => {
    const world = openFlow(until("2026-01-01T02:00:00+01:00"));
    await world.start();
    expect(await drive(world)).toBe("wake");
    expect(await world.contents("turn.waiting")).toEqual([
      { for: "time", until: "2026-01-01T01:00:00.000Z" },
    ]);
    expect(await drive(world)).toBe("wake");
    world.clock.advance(60 * 60 * 1000);
    expect(await drive(world)).toBe("goal-reached");
    expect(await outputOf(world)).toBe("2026-01-01T01:00:00.000Z");
  });

  test("that is over goes on at once", async () => {
    const world = openFlow(until("2025-12-31T23:59:59Z"));
    await world.start();
    expect(await drive(world)).toBe("goal-reached");
    expect(await world.contents("turn.waiting")).toEqual([]);
  });

  test.each(["tomorrow", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00+25:00", 5, null])(
    "%j is no instant",
    async (instant) => {
      const given: FlowNode = { kind: "wait", for: { until: "$.input.at" } };
      const world = openFlow(given, { input: { at: instant } });
      await world.start();
      expect(await drive(world)).toBe("failed");
      expect(await world.contents("turn.closed")).toMatchObject([{ reason: "MAPPING_FAILED" }]);
    },
  );

  test("of more items than a turn may be resumed for nothing is no standstill", async () => {
    const instants = Array.from({ length: 25 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 1, 0, 0, 10 * (index + 1))).toISOString(),
    );
    const world = openFlow({
      ...{ kind: "forEach", items: { const: instants }, max: 25 },
      body: { kind: "wait", for: { until: "$.item" } },
    });
    await world.start();
    let end = await drive(world);
    for (let step = 0; step < 25 && end === "wake"; step++) {
      world.clock.advance(10_000);
      end = await drive(world);
    }
    expect(end).toBe("goal-reached");
  });

  test("further away than the wait may take fails at once, and says how far", async () => {
    const world = openFlow(until("2026-01-01T00:00:10.001Z", 10_000));
    await world.start();
    expect(await drive(world)).toBe("failed");
    const [error] = await world.contents("call.errored");
    expect(error?.message).toContain("the time is further away than the 10000 ms");
    const near = openFlow(until("2026-01-01T00:00:10.000Z", 10_000));
    await near.start();
    expect(await drive(near)).toBe("wake");
  });

  test("a cancel ends it", async () => {
    const world = openFlow(until("2026-01-01T01:00:00Z"));
    await world.start();
    await drive(world);
    await world.put({ key: "stop", kind: "cancel", body: { by: "ada" } });
    expect(await drive(world)).toBe("cancelled");
  });
});

describe("after a crash at any append", () => {
  const nodes: readonly FlowNode[] = [
    { ...paid, name: "a" } as FlowNode,
    { kind: "call", name: "p", loopId: "pay", inputMapping: { cents: "$.a.output" } },
    { ...paid, name: "b", withinMs: 1_000, onTimeout: "continue" } as FlowNode,
    { ...paid, name: "c", for: { signal: "sent" } } as FlowNode,
  ];
  const outputMapping = { a: "$.a.output", b: "$.b.output", c: "$.c.output" };
  const flow: FlowNode = { kind: "sequence", nodes, outputMapping };

  async function runThrough(crash: ((world: SampleWorld) => SampleWorld) | undefined) {
    let world = openFlow(flow);
    await world.start();
    const step = async () => {
      const next = crash?.(world);
      if (next !== undefined) await next.end().catch(() => {});
      world = openFlow(flow, { after: world });
      return drive(world);
    };
    await signal(world, "sent", "early");
    expect(await step()).toBe("wait");
    await signal(world, "paid", 1);
    expect(await step()).toBe("wait");
    world.clock.advance(1_001);
    expect(await step()).toBe("goal-reached");
    return world;
  }

  test.each([1, 2, 3, 4, 5, 6])("number %i of each step it ends the same", async (place) => {
    for (const when of ["before", "after"] as const) {
      const world = await runThrough((before) =>
        openFlow(flow, { after: before, see: crashAt(place, when) }),
      );
      expect(await outputOf(world), when).toEqual({ a: 1, b: null, c: "early" });
      expect(await world.contents("question.answered"), when).toHaveLength(2);
      expect(await findingsOf(world)).toEqual([]);
      const folded = (await world.events()).reduce(applyEvent, emptyProjection(RUN));
      expect(dues(folded)).toEqual({ kind: "done" });
    }
  });
});
