// The events of MPLP of real runs: their counts are those of the logs, and none is sampled.

import { foldRun, statusOf } from "@turnseal/folds/graph";
import {
  foldSpending,
  isClaimOf,
  type JsonObject,
  keepsReservation,
  type LoopEvent,
  type LoopEventType,
  NO_SPENDING,
  PLAN_TOOL,
} from "@turnseal/protocol";
import { checkInvariants, INVARIANTS, LIFECYCLES } from "@turnseal/protocol/graph";
import { followMplp, MPLP_FAMILIES, type MplpEvent, type MplpFamily } from "@turnseal/views/mplp";
import { describe, expect, test } from "vitest";
import { listSampleRuns, type SampleRun } from "../sample-runs.test.data.ts";
import { readMplp } from "./read-mplp.ts";

const samples = await listSampleRuns();

function tellAll({ run, events }: SampleRun): readonly MplpEvent[] {
  const follow = followMplp(run);
  return events.flatMap((event) => follow(event));
}

function ofFamily(told: readonly MplpEvent[], family: MplpFamily): readonly MplpEvent[] {
  return told.filter((event) => event.event_family === family);
}

function count(events: readonly LoopEvent[], ...types: readonly LoopEventType[]): number {
  return events.filter(({ type }) => types.includes(type)).length;
}

const payloadOf = (event: MplpEvent): JsonObject => (event["payload"] ?? {}) as JsonObject;
const sumOf = (events: readonly MplpEvent[], field: string): number =>
  events.reduce((sum, event) => sum + Number(event[field]), 0);

describe.each(samples)("$name", (sample) => {
  const { run, events, stores } = sample;
  const told = tellAll(sample);
  const folded = foldRun(run);
  for (const event of events) folded.follow(event);

  test("has one id for each event, the same whenever it is read, and holds the invariants", () => {
    expect(new Set(told.map(({ event_id: id }) => id)).size).toBe(told.length);
    expect(tellAll(sample)).toEqual(told);
    for (const event of told.filter((one) => one.event_family !== undefined)) {
      const checked = checkInvariants(INVARIANTS.observability, { event });
      expect(checked).toEqual({ kind: "checked", violations: [] });
      expect(MPLP_FAMILIES).toContain(event.event_family);
    }
    const profiled = told.filter((one) => one.event_family === undefined);
    for (const { event_type: type } of profiled) expect(type).toMatch(/^(SA|MAP)[A-Z]/);
    const at = new Map(events.map((event) => [event.sequence, event.at]));
    for (const event of told) expect(event.timestamp).toBe(at.get(event.log_sequence));
  });

  test("has a stage for every status that a plan, a step or the context got", () => {
    const stages = ofFamily(told, "pipeline_stage");
    const nodes = [...folded.graph.entries.values()].map(({ node }) => node);
    const moved = nodes.filter(({ type }) => ["plan", "step", "context"].includes(type));
    for (const node of moved) {
      const own = stages.filter((event) => payloadOf(event)["resource_id"] === node.id);
      // From its first status to its present one, without a gap and without a repetition.
      let status: string = LIFECYCLES[node.type as "plan"].initial;
      for (const event of own) {
        expect(payloadOf(event)).toMatchObject({ from_status: status, resource_type: node.type });
        status = String(payloadOf(event)["to_status"]);
      }
      expect(status).toBe(statusOf(node));
    }
    const ids = new Set(moved.map(({ id }) => id));
    expect(stages.every((event) => ids.has(String(event["stage_id"])))).toBe(true);
  });

  test("has the stages of steps that its log has", () => {
    const begun = events.flatMap((event) =>
      event.type === "child.started" &&
      event.content.path !== undefined &&
      event.content.loop !== PLAN_TOOL
        ? [event.content.child]
        : [],
    );
    const ends = (status: "ok" | "error"): number =>
      events.filter(
        (event) =>
          event.type === "child.completed" &&
          event.content.status === status &&
          begun.includes(event.content.child),
      ).length;
    const typed = (type: string): number => told.filter((one) => one.event_type === type).length;
    expect([typed("step_started"), typed("SAStepStarted")]).toEqual([begun.length, begun.length]);
    expect([typed("step_completed"), typed("SAStepCompleted")]).toEqual([ends("ok"), ends("ok")]);
    expect([typed("step_failed"), typed("SAStepFailed")]).toEqual([ends("error"), ends("error")]);
  });

  test("has the differences of the graph: summed, they are the graph", () => {
    const updates = ofFamily(told, "graph_update");
    expect(sumOf(updates, "node_delta")).toBe(folded.graph.entries.size);
    expect(sumOf(updates, "edge_delta")).toBe(folded.graph.edgeCount);
    const added = updates.filter((event) => event["update_kind"] === "node_add");
    expect(sumOf(added, "node_delta")).toBe(folded.graph.entries.size);
    for (const event of events) {
      if (event.type !== "plan.proposed") continue;
      const created = updates.find(
        (one) => one.log_sequence === event.sequence && one.event_type === "plan_created",
      );
      const { steps } = event.content;
      const after = steps.reduce((sum, step) => sum + step.after.length, 0);
      // The plan, its steps; an edge to its context, to each step, and for each dependency.
      expect(created?.["node_delta"]).toBe(1 + steps.length);
      expect(created?.["edge_delta"]).toBe(1 + steps.length + after);
    }
  });

  test("has two executions around every action that ended, and one of what is open", () => {
    const executions = ofFamily(told, "runtime_execution");
    const running = executions.filter((event) => event["status"] === "running");
    // A held action is executed by the claim that replaces it, if at all.
    const held = events.flatMap((event) =>
      isClaimOf("tool", event) && event.content.held !== undefined ? [event.sequence] : [],
    );
    expect(running).toHaveLength(count(events, "action.claimed") - held.length);
    const ends = events.filter(
      (event) => event.type === "action.settled" || event.type === "action.resolved",
    );
    expect(executions.length - running.length).toBe(
      ends.filter(({ content }) => !held.includes(content.claim)).length,
    );
    const begun = new Set(running.map((event) => event["execution_id"]));
    expect(begun.size).toBe(running.length);
    const ended = executions.filter((event) => event["status"] !== "running");
    expect(new Set(ended.map((event) => event["execution_id"])).size).toBe(ended.length);
    for (const event of ended) expect(begun).toContain(event["execution_id"]);
    const kinds = events.flatMap((event) =>
      event.type === "action.claimed" && !held.includes(event.sequence)
        ? [{ model: "llm", tool: "tool", handoff: "agent" }[event.content.action]]
        : [],
    );
    expect(running.map((event) => event["executor_kind"])).toEqual(kinds);
  });

  test("costs what the ledger of its log says", () => {
    const costs = ofFamily(told, "cost_budget");
    const used = costs.filter((event) => event.event_type === "token_usage_recorded");
    const { settled, assumed } = events.reduce(foldSpending, NO_SPENDING);
    const tokens = [settled, assumed].flatMap((one) => [one.inputTokens, one.outputTokens]);
    expect(used.reduce((sum, event) => sum + Number(payloadOf(event)["tokens_used"]), 0)).toBe(
      tokens.reduce<number>((sum, each) => sum + (each ?? 0), 0),
    );
    const isExhausted = events.some(
      (event) => event.type === "run.stopped" && event.content.reason === "budget-exhausted",
    );
    const exceeded = costs.filter((event) => event.event_type === "budget_exceeded");
    expect(exceeded).toHaveLength(isExhausted ? 1 : 0);
    const summed = costs.filter((event) => event.event_type === "trace_cost_summary");
    expect(summed).toHaveLength(count(events, "turn.closed"));
    const assumedEnds = events.filter(
      (event) => event.type === "action.resolved" && !keepsReservation(event.content.resolution),
    );
    const isAssumed = (event: MplpEvent): boolean => payloadOf(event)["assumed"] === true;
    expect(used.filter(isAssumed).length).toBeLessThanOrEqual(assumedEnds.length);
  });

  test("is one agent at work in each turn, in the order of the profile", () => {
    const byAgent = Map.groupBy(
      told.filter((event) => event["sa_id"] !== undefined),
      (event) => event["sa_id"],
    );
    expect(byAgent.size).toBe(count(events, "turn.started"));
    const closed = count(events, "turn.closed");
    const orders = [...byAgent.values()].map((own) =>
      own.map(({ event_type: type }) => type.slice(2)).join(" "),
    );
    const begin = "^Initialized ContextLoaded( PlanEvaluated| Step(Started|Completed|Failed))*";
    for (const [index, order] of orders.entries()) {
      const end = index < closed ? " TraceEmitted Completed$" : "$";
      expect(order).toMatch(new RegExp(begin + end));
      expect(order.indexOf("Step") === -1 || order.includes("PlanEvaluated Step")).toBe(true);
    }
    // No step begins twice, and none ends that has not begun.
    const open = new Set<unknown>();
    for (const event of told) {
      const step = payloadOf(event)["step_id"];
      if (event.event_type === "SAStepStarted") {
        expect(open.has(step)).toBe(false);
        open.add(step);
      } else if (event.event_type.startsWith("SAStep")) expect(open.delete(step)).toBe(true);
    }
  });

  test("is a session of several exactly where it hands to others", () => {
    const session = told.filter((event) => event["session_id"] !== undefined);
    const handed = events.filter((event) => isClaimOf("handoff", event)).length;
    const typed = (type: string) => session.filter((event) => event.event_type === type);
    expect(typed("MAPTurnDispatched")).toHaveLength(handed);
    expect(typed("MAPSessionStarted")).toHaveLength(handed === 0 ? 0 : 1);
    if (handed === 0) return expect(session).toEqual([]);
    const [first, second] = session.map(({ event_type: type }) => type);
    expect([first, second]).toEqual(["MAPSessionStarted", "MAPRolesAssigned"]);
    expect(session.at(-1)?.event_type).toBe("MAPSessionCompleted");
    const turnOf = (event: MplpEvent): unknown => {
      const { role_id: role, turn_number: turn } = payloadOf(event);
      return [role, turn];
    };
    const done = typed("MAPTurnCompleted").map(turnOf);
    expect(done).toHaveLength(handed);
    for (const turn of typed("MAPTurnDispatched").map(turnOf)) expect(done).toContainEqual(turn);
  });

  test("says what somebody said only where that is asked for", async () => {
    const plain: MplpEvent[] = [];
    for await (const event of readMplp(stores, run)) plain.push(event);
    expect(plain).toEqual(told);
    const words: MplpEvent[] = [];
    for await (const event of readMplp(stores, run, { content: true })) words.push(event);
    expect(words).toHaveLength(told.length);
    const isSaid = (event: MplpEvent): boolean =>
      "raw_text" in payloadOf(event) || "data" in payloadOf(event);
    const spoken = words.filter(
      ({ event_family: family, event_type: type }) =>
        ["intent", "external_integration"].includes(family ?? "") && type !== "DriftResolved",
    );
    expect(words.filter(isSaid)).toEqual(spoken);
    expect(plain.filter(isSaid)).toEqual([]);
  });
});

test("a plan, its context and its trace hold the invariants of one agent", () => {
  const sample = samples.find(({ name }) => name === "a plan that was approved");
  if (sample === undefined) throw new Error("there is no such sample");
  const folded = foldRun(sample.run);
  for (const event of sample.events) folded.follow(event);
  const nodes = [...folded.graph.entries.values()].map(({ node }) => node);
  const objectOf = (type: string) =>
    nodes.find((node) => node.type === type)?.object as unknown as JsonObject;
  const steps = nodes.filter(({ type }) => type === "step").map(({ object }) => object);
  const emitted = tellAll(sample).filter((event) => event["trace_id"] !== undefined);
  const document = {
    context: objectOf("context"),
    plan: { ...objectOf("plan"), steps },
    trace: { ...objectOf("trace"), events: emitted },
  } as unknown as JsonObject;
  for (const list of ["single-agent", "global"] as const) {
    const own = INVARIANTS[list].filter(({ scope }) => scope !== "confirm");
    const checked = checkInvariants(own, document);
    expect(checked).toEqual({ kind: "checked", violations: [] });
  }
  // Taken to another context, the plan is objected to.
  const other = { ...document, plan: { ...objectOf("plan"), steps, context_id: sample.run } };
  expect(checkInvariants(INVARIANTS["single-agent"], other as unknown as JsonObject)).toMatchObject(
    {
      violations: [{ id: "sa_plan_context_binding" }],
    },
  );
});

test("a change that the graph refuses is not said", () => {
  const sample = samples.find(({ name }) => name === "a plan that nobody decided");
  if (sample === undefined) throw new Error("there is no such sample");
  const follow = followMplp(sample.run);
  const asked = sample.events.findIndex(({ type }) => type === "plan.proposed");
  for (const event of sample.events.slice(0, asked + 1)) follow(event);
  const proposed = sample.events[asked];
  const forged = {
    ...{ ...proposed, type: "child.started", call: proposed?.parentCall, sequence: 99 },
    content: { child: sample.run, loop: "work", step: 1, path: "/flow/nodes/1" },
  };
  const said = follow(forged as never);
  expect(ofFamily(said, "pipeline_stage")).toEqual([]);
  expect(said.filter(({ event_type: type }) => type.startsWith("SA"))).toEqual([]);
});

test("a rollback begins with what it takes back first, and ends with its run", () => {
  for (const sample of samples) {
    const said = tellAll(sample).filter(({ event_family: f }) => f === "compensation_plan");
    const payload = { compensation_id: sample.run, reason: "rollback" };
    expect(said).toMatchObject(
      sample.name === "a rollback"
        ? [
            { event_type: "RollbackInitiated", payload },
            { event_type: "RollbackCompleted", payload: { ...payload, status: "completed" } },
          ]
        : [],
    );
    expect(said).toHaveLength(sample.name === "a rollback" ? 2 : 0);
  }
});
