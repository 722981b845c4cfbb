// Several waits and approvals of one turn at once: each is answered by its own id, in any order.
import type { FlowNode, JsonObject, JsonValue, LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { dues } from "../../decide/dues.ts";
import { driverOf } from "../../local/run-driver.ts";
import { stepRun } from "../../restate/step-run.ts";
import { readContent } from "../../state/read-content.ts";
import {
  openWorld,
  pay,
  RUN,
  type SampleWorld,
  type SampleWorldOptions,
  settle,
} from "../sample-world.test.data.ts";

const header = { name: "n", version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const which: LoopDef = {
  ...{ ...header, id: "which", kind: "tool" },
  tool: { implementation: "turnseal.question" },
};

function openFlow(flow: FlowNode, options: Partial<SampleWorldOptions> = {}): SampleWorld {
  return openWorld({
    loop: { ...header, id: "desk", kind: "composite", composite: { flow } },
    ...{ loops: [which, pay], input: {}, bounds: { resumesMax: 20 } },
    grant: { tools: ["turnseal.question", "local.pay"] },
    tools: { "local.pay": { effect: "idempotent", run: (input) => input as JsonObject } },
    ...options,
  });
}

const paid: FlowNode = { kind: "wait", for: { signal: "paid" } };
const asked: FlowNode = {
  kind: "wait",
  for: { question: { loopId: "which", inputMapping: {} } },
};
const until = (instant: string): FlowNode => ({ kind: "wait", for: { until: { const: instant } } });
const beside = (...branches: FlowNode[]): FlowNode => ({ kind: "parallel", branches });

let signals = 0;
function signal(world: SampleWorld, name: string, payload: JsonValue): Promise<unknown> {
  signals += 1;
  return world.put({ key: `b${signals}`, kind: "signal", body: { name, payload, by: "ada" } });
}

/** Answers the open question at a place in line. */
async function answer(world: SampleWorld, index: number, given: JsonValue): Promise<void> {
  const { projection } = await world.advance();
  const hash = projection?.openTurn?.asked[index]?.hash ?? "";
  const body = { question: hash, answer: given, by: { id: "ada", roles: [] } };
  await world.put({ key: `${hash} ${JSON.stringify(given)}`, kind: "answer", body });
}

async function drive(world: SampleWorld): Promise<string> {
  for (let step = 0; step < 50; step++) {
    const end = await world.end();
    if (end !== "continue") return end;
  }
  throw new Error("it goes on for ever");
}

async function outputOf(world: SampleWorld): Promise<JsonValue | undefined> {
  const [closed] = await world.contents("turn.closed");
  return closed?.output === undefined ? undefined : readContent(world.stores, RUN, closed.output);
}

test("waits of one name take one signal each, in the order of the log", async () => {
  const world = openFlow(beside(paid, paid, paid));
  await world.start();
  expect(await drive(world)).toBe("wait");
  expect(await world.contents("question.asked")).toHaveLength(3);
  await signal(world, "paid", 1);
  await signal(world, "paid", 2);
  expect(await drive(world)).toBe("wait");
  await signal(world, "paid", 3);
  await signal(world, "paid", 4);
  expect(await drive(world)).toBe("goal-reached");
  expect(await outputOf(world)).toEqual([1, 2, 3]);
});

test("what the schema of one refuses is for another", async () => {
  const schema = { type: "string" } as const;
  const texts: FlowNode = { kind: "wait", for: { signal: "paid", schema } };
  const world = openFlow(beside(texts, paid));
  await world.start();
  await drive(world);
  await signal(world, "paid", 1);
  await signal(world, "paid", "a");
  expect(await drive(world)).toBe("goal-reached");
  expect(await outputOf(world)).toEqual(["a", 1]);
});

test.each([
  ["first the signal", ["signal", "first", "second"]],
  ["first the last question", ["second", "signal", "first"]],
])("%s: each is answered by its own id, by whichever process", async (_, order) => {
  const flow = beside(asked, paid, asked);
  let world = openFlow(flow);
  await world.start();
  expect(await drive(world)).toBe("wait");
  expect(await world.contents("turn.waiting")).toMatchObject([
    { for: "person", signals: ["paid"] },
  ]);
  const open = ["first", "second"];
  for (const step of order) {
    world = openFlow(flow, { after: world });
    if (step === "signal") await signal(world, "paid", "p");
    else await answer(world, open.indexOf(step), step);
    if (step !== "signal") open.splice(open.indexOf(step), 1);
    await drive(openFlow(flow, { after: world }));
  }
  expect(await outputOf(world)).toEqual(["first", "p", "second"]);
  expect(await world.contents("turn.started")).toHaveLength(1);
});

test("a time is met while a person and a signal are waited for", async () => {
  const call: FlowNode = { kind: "call", loopId: "pay", inputMapping: { at: "literal:x" } };
  const timed: FlowNode = {
    kind: "sequence",
    nodes: [until("2026-01-01T00:01:00Z"), call],
  };
  const world = openFlow(beside(asked, timed, paid));
  await world.start();
  expect(await drive(world)).toBe("wake");
  expect(await world.contents("turn.waiting")).toEqual([
    {
      ...{ for: "person", signals: ["paid"] },
      ...{ until: "2026-01-01T00:01:00.000Z", wakesAt: "2026-01-01T00:01:00.000Z" },
    },
  ]);
  const atMs = Date.parse("2026-01-01T00:01:00.000Z");
  const { projection } = await world.advance();
  expect(projection === undefined ? undefined : dues(projection)).toEqual({ kind: "wake", atMs });
  const driver = driverOf(world.ports);
  expect(await driver.driveNow(RUN)).toMatchObject({ lookAtMs: atMs });
  expect(await stepRun(RUN, world.ports, {})).toMatchObject({ wakeAtMs: atMs, continues: false });
  expect(await world.contents("action.claimed")).toEqual([]);
  // The driver waits for the time, and leaves the run when only others can help.
  const driven = driver.drive(RUN);
  for (let look = 0; look < 400; look++) {
    await settle();
    world.clock.advance(250);
  }
  expect(await driven).toMatchObject({ dues: { kind: "wait" } });
  expect(await world.contents("action.settled")).toMatchObject([{ status: "ok" }]);
});

test("the earliest of several times runs out first", async () => {
  const soon: FlowNode = { ...paid, withinMs: 1_000, onTimeout: "continue" } as FlowNode;
  const later: FlowNode = { ...asked, withinMs: 5_000, onTimeout: "continue" } as FlowNode;
  const world = openFlow(beside(later, soon));
  await world.start();
  expect(await drive(world)).toBe("wait");
  const untils = async () => (await world.contents("turn.waiting")).map((each) => each.until);
  expect(await untils()).toEqual(["2026-01-01T00:00:01.001Z"]);
  world.clock.advance(1_001);
  expect(await drive(world)).toBe("wait");
  expect((await untils()).at(-1)).toBe("2026-01-01T00:00:05.001Z");
  world.clock.advance(4_000);
  expect(await drive(world)).toBe("goal-reached");
  expect(await outputOf(world)).toEqual([null, null]);
});

test("the wait of an item that lost is withdrawn, and its signal is for the next", async () => {
  const world = openFlow({
    kind: "sequence",
    nodes: [
      { ...beside(paid, { kind: "wait", for: { signal: "stop" } }), join: "any" } as FlowNode,
      { ...paid, name: "next" } as FlowNode,
    ],
  });
  await world.start();
  await drive(world);
  await signal(world, "stop", "s");
  expect(await drive(world)).toBe("wait");
  expect(await world.contents("approval.expired")).toMatchObject([
    { because: "withdrawn", path: "/flow/nodes/0/branches/0" },
  ]);
  await signal(world, "paid", 5);
  expect(await drive(world)).toBe("goal-reached");
  expect(await outputOf(world)).toBe(5);
});

test("a cancel ends all of them", async () => {
  const world = openFlow(beside(asked, paid, until("2026-01-01T00:01:00Z")));
  await world.start();
  await drive(world);
  await world.put({ key: "stop", kind: "cancel", body: { by: "ada" } });
  expect(await drive(world)).toBe("cancelled");
  const { projection } = await world.advance();
  expect(projection?.openTurn).toBeNull();
});
