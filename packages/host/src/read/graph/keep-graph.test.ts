// A graph that is kept beside the log: what is refused is not appended, and rows are what the log
// says.

import { foldRows, foldRun, hashRows, keepGraph, readStateHash } from "@turnseal/folds/graph";
import type { LoopEvent, PlanDocument } from "@turnseal/protocol";
import type { GraphRowChange } from "@turnseal/protocol/graph";
import { expect, test } from "vitest";
import { openFanOutDesk, payAt } from "../../scenarios/__fixtures__/fan-out-desk.ts";
import { openPlanDesk, type PlanDesk } from "../../scenarios/__fixtures__/plan-desk.ts";

const plan: PlanDocument = {
  title: "words",
  steps: [
    { id: "find", loop: "work", input: { at: "a" } },
    { id: "left", loop: "work", input: { at: { from: "$.find.output" } } },
  ],
};

async function readKept({ run, stores }: PlanDesk) {
  const nodes = (await stores.graphs?.listNodes(run)) ?? [];
  const edges = (await stores.graphs?.listEdges(run)) ?? [];
  return { sequence: await stores.graphs?.readSequence(run), nodes, edges };
}

async function expectKept(desk: PlanDesk): Promise<void> {
  const { run, stores } = desk;
  const events = await desk.events();
  const kept = await readKept(desk);
  expect(kept.sequence).toBe(events.at(-1)?.sequence);
  const whole = foldRun(run);
  for (const event of events) whole.follow(event);
  expect(hashRows(kept.nodes)).toBe(readStateHash(whole.graph));
  await stores.graphs?.drop(run);
  const changes = foldRows(run, events);
  await stores.graphs?.rewrite(run, { sequence: events.length, changes });
  expect(await readKept(desk)).toEqual(kept);
}

test("rows go with the log of a run that has a plan, and can be made anew", async () => {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  await expectKept(desk);
  await desk.decide("approve");
  await desk.drive();
  await expectKept(desk);
  const { nodes } = await readKept(desk);
  expect(nodes.filter(({ type }) => type === "step").map(({ status }) => status)).toEqual([
    "completed",
    "completed",
  ]);
  await desk.stores.blobs.erase(desk.run);
  expect((await readKept(desk)).nodes).toEqual(nodes);
});

test("a run that cannot propose a plan keeps no rows", async () => {
  const desk = await openFanOutDesk(payAt("literal:a"), { isAsked: false });
  await desk.drive();
  expect(await desk.stores.graphs?.readSequence(desk.run)).toBeUndefined();
});

test("rows that a program left behind that does not know of them are made anew", async () => {
  let isOld = true;
  const desk = await openPlanDesk(plan, {
    see: ({ graphs, ...stores }) =>
      isOld || graphs === undefined ? stores : { ...stores, graphs },
  });
  await desk.drive();
  expect((await readKept(desk)).sequence).toBeUndefined();
  isOld = false;
  await desk.decide("approve");
  await desk.drive();
  await expectKept(desk);
});

/** The log of a plan that waits for its approval. */
async function proposed() {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  const events = await desk.events();
  const at = events.findIndex(({ type }) => type === "plan.proposed");
  return { run: desk.run, before: events.slice(0, at), event: events[at] as LoopEvent };
}

function keep(run: string, events: readonly LoopEvent[]) {
  const keeper = keepGraph(run);
  for (const event of events) keeper.follow(event);
  return keeper;
}

test("a plan that breaks a rule is refused, and changes nothing", async () => {
  const { run, before, event } = await proposed();
  const [first] = (event as Extract<LoopEvent, { type: "plan.proposed" }>).content.steps;
  const withSteps = (steps: readonly object[]) =>
    ({ ...event, content: { ...event.content, steps } }) as LoopEvent;
  const step = (...after: readonly number[]) => ({ ...first, after });
  const broken = {
    cycle: withSteps([step(1), step(0)]),
    "reference-unknown": withSteps([step(), step(7)]),
    "object-invalid": withSteps([]),
  };
  const keeper = keep(run, before);
  const written = keeper.write();
  for (const [rule, wrong] of Object.entries(broken)) {
    expect(keeper.take(wrong)).toMatchObject({ rule, sequence: event.sequence });
    expect(keeper.write().changes).toEqual([]);
  }
  // The refused event has left nothing behind: the right one is accepted.
  expect(keeper.take(event)).toBeUndefined();
  const rest: readonly GraphRowChange[] = keeper.write().changes;
  expect([...written.changes, ...rest]).toEqual(foldRows(run, [...before, event]));
});

test("what is decided or closed of a plan that is not there, or twice, is refused", async () => {
  const { run, before, event } = await proposed();
  const say = (type: string, content: object, call = event.call, sequence = 90) => {
    const { parentCall } = event;
    return { ...event, sequence, type, content, call, parentCall } as unknown as LoopEvent;
  };
  const of = { plan: event.sequence, hash: event.hash };
  const yes = { ...of, decision: "approved" };
  const done = { ...of, status: "completed" };
  const keeper = keep(run, [...before, event]);
  expect(keeper.take(say("plan.decided", { ...yes, plan: 1 }))?.rule).toBe("node-unknown");
  expect(keeper.take(say("plan.decided", { ...yes, hash: "0" }))?.rule).toBe("node-unknown");
  expect(keeper.take(say("plan.closed", done, event.parentCall))?.rule).toBe("plan-in-progress");
  expect(keeper.take({ ...event, sequence: 91 })?.rule).toBe("id-taken");
  expect(keeper.take(say("plan.decided", yes))).toBeUndefined();
  expect(keeper.take(say("plan.decided", yes))?.rule).toBe("transition-unknown");
  expect(keeper.take(say("plan.closed", done, event.parentCall))).toBeUndefined();
  expect(keeper.take(say("plan.closed", done, event.parentCall))?.rule).toBe("node-unknown");
});
