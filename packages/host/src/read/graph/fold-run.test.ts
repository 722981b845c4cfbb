// The graph of real runs: what their logs say follows the rules of a graph.

import {
  foldRun,
  type Graph,
  type GraphNode,
  listEdges,
  nameNodes,
  readStateHash,
  statusOf,
} from "@turnseal/folds/graph";
import { type PlanDocument, uuidFrom } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import type { ObjectType } from "@turnseal/protocol/graph";
import { followPlan } from "@turnseal/views";
import { expect, test } from "vitest";
import { openFanOutDesk, payAt } from "../../scenarios/__fixtures__/fan-out-desk.ts";
import { openPlanDesk, type PlanDesk } from "../../scenarios/__fixtures__/plan-desk.ts";

const plan: PlanDocument = {
  title: "words",
  steps: [
    { id: "find", loop: "work", input: { at: "a" } },
    { id: "left", loop: "work", input: { at: { from: "$.find.output" } } },
    { id: "right", loop: "work", input: { at: "b" }, after: ["find"] },
  ],
};

async function foldDesk({ run, events }: Pick<PlanDesk, "run" | "events">) {
  const folded = foldRun(run);
  for (const event of await events()) folded.follow(event);
  expect(folded.objections()).toEqual([]);
  return folded.graph;
}

function listNodes({ entries }: Graph, type: ObjectType): GraphNode[] {
  return [...entries.values()].map(({ node }) => node).filter((node) => node.type === type);
}

function statuses(graph: Graph, type: ObjectType): string[] {
  return listNodes(graph, type).map(statusOf);
}

test("a plan waits for its confirm, is approved by it, and fills in", async () => {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  const asked = await foldDesk(desk);
  expect(statuses(asked, "context")).toEqual(["active"]);
  expect(statuses(asked, "plan")).toEqual(["proposed"]);
  expect(statuses(asked, "confirm")).toEqual(["pending"]);
  expect(statuses(asked, "step")).toEqual(["pending", "pending", "pending"]);
  expect(statuses(asked, "trace")).toEqual(["running"]);

  await desk.decide("approve");
  await desk.drive();
  const done = await foldDesk(desk);
  expect(statuses(done, "plan")).toEqual(["completed"]);
  expect(statuses(done, "confirm")).toEqual(["approved"]);
  expect(statuses(done, "step")).toEqual(["completed", "completed", "completed"]);
  expect(statuses(done, "trace")).toEqual(["completed"]);
  expect(statuses(done, "segment")).toEqual(["completed", "completed", "completed"]);
  const depends = listNodes(done, "step").map(
    ({ id }) => listEdges(done, id, { direction: "outgoing", kinds: ["DEPENDS_ON"] }).items.length,
  );
  expect(depends).toEqual([0, 1, 1]);
});

test("a rejected plan is a draft again, and an undecided one stays proposed", async () => {
  const rejected = await openPlanDesk(plan);
  await rejected.drive();
  await rejected.decide("reject");
  await rejected.drive();
  const graph = await foldDesk(rejected);
  expect([statuses(graph, "plan"), statuses(graph, "confirm")]).toEqual([["draft"], ["rejected"]]);
  expect(statuses(graph, "trace")).toEqual(["failed"]);

  const expired = await openPlanDesk(plan);
  await expired.drive();
  expired.clock.advance(25 * 3_600_000);
  await expired.drive();
  const late = await foldDesk(expired);
  expect([statuses(late, "plan"), statuses(late, "confirm")]).toEqual([
    ["proposed"],
    ["cancelled"],
  ]);
});

test("a plan whose turn ends without its call is cancelled, wherever one looks", async () => {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  await desk.decide("approve");
  await desk.drive();
  const events = await desk.events();
  const decided = events.findIndex(({ type }) => type === "plan.decided");
  const cut = events.filter(({ type }, at) => at <= decided || type === "turn.closed");
  const graph = await foldDesk({ run: desk.run, events: async () => cut });
  const follower = followPlan();
  for (const event of cut) follower.follow(event);
  expect(statuses(graph, "plan")).toEqual(["cancelled"]);
  expect(follower.plan()?.state).toBe("cancelled");
});

test("a step that fails fails its plan, and blocks what depends on it", async () => {
  const act = (at: unknown) => {
    if (at === "a") throw notDone("no");
    return 1;
  };
  const [find, ...others] = plan.steps;
  for (const critical of [true, false]) {
    const steps = [{ ...find, critical }, ...others] as PlanDocument["steps"];
    const desk = await openPlanDesk({ ...plan, steps }, { act });
    await desk.drive();
    await desk.decide("approve");
    await desk.drive();
    const graph = await foldDesk(desk);
    expect(statuses(graph, "plan")).toEqual(["failed"]);
    const rest = critical ? "pending" : "blocked";
    expect(statuses(graph, "step")).toEqual(["failed", rest, rest]);
  }
});

test("a flow that nobody proposed is a plan, too: its steps come as they begin", async () => {
  const desk = await openFanOutDesk(
    {
      kind: "sequence",
      nodes: [
        { kind: "repeat", max: 2, until: "round == 1", body: payAt("literal:a") },
        { kind: "parallel", branches: [payAt("literal:b"), payAt("literal:c")] },
      ],
    },
    { isAsked: false },
  );
  await desk.drive();
  const graph = await foldDesk(desk);
  expect(statuses(graph, "plan")).toEqual(["completed"]);
  expect(statuses(graph, "step")).toEqual(["completed", "completed", "completed", "completed"]);
  expect(statuses(graph, "confirm")).toEqual(["approved"]);
});

test("what people are asked for is a confirm of its own", async () => {
  const desk = await openFanOutDesk(payAt("literal:a"));
  await desk.drive();
  expect(statuses(await foldDesk(desk), "confirm")).toEqual(["approved", "pending"]);
  await desk.approve("a");
  await desk.drive();
  expect(statuses(await foldDesk(desk), "confirm")).toEqual(["approved", "approved"]);
});

test("the same log is the same graph, also after an erasure", async () => {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  await desk.decide("approve");
  await desk.drive();
  const before = readStateHash(await foldDesk(desk));
  await desk.stores.blobs.erase(desk.run);
  expect(readStateHash(await foldDesk(desk))).toBe(before);
});

test("a log that breaks a rule is objected to, and changes nothing", async () => {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  const folded = foldRun(desk.run);
  const events = await desk.events();
  for (const event of events) folded.follow(event);
  const proposed = events.find(({ type }) => type === "plan.proposed");
  const forged = {
    ...proposed,
    ...{ type: "child.started", call: proposed?.parentCall, sequence: 99 },
    content: {
      child: "11111111-1111-4111-8111-111111111111",
      loop: "work",
      step: 1,
      path: "/flow/nodes/1",
    },
  };
  const { graph, follow, objections } = folded;
  follow(forged as never);
  expect(objections()[0]).toMatchObject({ rule: "plan-in-progress", sequence: 99 });
  expect(statuses(graph, "step")).toEqual(["pending", "pending", "pending"]);
  expect(statuses(graph, "plan")).toEqual(["proposed"]);
});

test("a step has the loop that carries it out as its role, unless that would name a node", () => {
  const nodes = nameNodes("run");
  expect(nodes.step("one", { loop: "work", after: [] })).toMatchObject({ agent_role: "work" });
  const odd = nodes.step("one", { loop: uuidFrom("work"), after: [] });
  expect(odd).not.toHaveProperty("agent_role");
});
