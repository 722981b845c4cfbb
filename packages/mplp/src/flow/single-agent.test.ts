/** The snippets of the MPLP L3 text, and flows that must be refused beside them. */
import { InMemoryVSL, manualClock, seededIds } from "@turnseal/ports";
import { type JsonObject, uuidFrom } from "@turnseal/protocol";
import { checkInvariants, INVARIANTS } from "@turnseal/protocol/graph";
import { describe, expect, test } from "vitest";
import {
  createModuleRegistry,
  InMemoryAEL,
  MODULES_MAX,
  type RunSingleAgentFlowOptions,
  type RuntimeContext,
  type RuntimeModuleRegistry,
  runSingleAgentFlow,
  STEP_MS_MAX,
} from "../index.ts";

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
const root = { domain: "shop", environment: "test" };
const contextObj = { meta, context_id: uuidFrom("context"), root, title: "Shop", status: "active" };
const stepOf = (name: string, dependencies: readonly string[] = []) => ({
  ...{ step_id: uuidFrom(name), description: name, status: "pending", agent_role: "packer" },
  dependencies: dependencies.map(uuidFrom),
});
const planObj = {
  ...{ meta, plan_id: uuidFrom("plan"), context_id: contextObj.context_id, title: "Ship" },
  ...{ objective: "Shipped", status: "draft" },
  // Written in another order than they can be executed in.
  steps: [stepOf("send", ["pack", "label"]), stepOf("pack"), stepOf("label", ["pack"])],
};
const pipelineStageEvent = { event_type: "noted", event_family: "pipeline_stage" };
const contextOf = (): RuntimeContext => {
  const ids = { runId: "run-123" };
  return { ids, coordination: { ids, metadata: {} }, events: [] };
};

test("the snippets of the text run as they stand, but for what they leave out", async () => {
  const modules: RuntimeModuleRegistry = {
    context: async ({ ctx }) => {
      // Context module logic
      expect(ctx.runId).toBe("run-123");
      return { output: contextObj, events: [] };
    },
    plan: async ({ ctx }) => {
      // Plan module logic
      expect(ctx.context).toEqual(contextObj);
      return { output: planObj, events: [pipelineStageEvent] };
    },
  };
  const result = await runSingleAgentFlow({
    flow: {},
    runtimeContext: contextOf(),
    modules,
    vsl: new InMemoryVSL(),
  });
  expect(result).toMatchObject({ success: true, output: { context: contextObj, plan: planObj } });
  expect(result.events).toContainEqual(pipelineStageEvent);
  expect(await new InMemoryAEL().execute({ kind: "x" })).toEqual({
    status: "executed",
    action: { kind: "x" },
  });
});

const roleObj = {
  meta,
  role_id: uuidFrom("role"),
  name: "Lead",
  capabilities: ["confirm.approve"],
};
const confirmObj = {
  ...{ meta, confirm_id: uuidFrom("confirm"), target_type: "plan", target_id: planObj.plan_id },
  ...{ status: "pending", requested_by_role: "packer", requested_at: "2026-01-01T00:00:00Z" },
};
const decisionOf = (status: string) => ({
  ...{ decision_id: uuidFrom("decision"), status, decided_by_role: roleObj.role_id },
  ...{ decided_at: "2026-01-01T00:00:01Z", reason: "as agreed" },
});
const approval = { role: roleObj, confirm: confirmObj, decision: decisionOf("approved") };

const give = (output: unknown) => async () => ({ output, events: [] });

function start(change: Partial<RunSingleAgentFlowOptions> & { readonly made?: object } = {}) {
  const { made = {}, ...others } = change;
  const outputs = { context: contextObj, plan: planObj, confirm: approval, ...made };
  const modules = Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, give(output)]),
  );
  const runtimeContext = contextOf();
  const vsl = new InMemoryVSL();
  const result = runSingleAgentFlow({
    ...{ flow: {}, runtimeContext, modules, vsl, ael: new InMemoryAEL() },
    ...{ clock: manualClock(), ids: seededIds("flow") },
    ...others,
  });
  return { result, runtimeContext, vsl };
}

const typesOf = (events: readonly JsonObject[] | undefined, pattern: RegExp): string[] =>
  (events ?? []).map((event) => String(event["event_type"])).filter((type) => pattern.test(type));

describe("an approved plan", () => {
  test("is executed step by step, and said in the order of the profile", async () => {
    const { result, runtimeContext, vsl } = start();
    const { success, events, output } = await result;
    expect(success).toBe(true);
    const step = ["SAStepStarted", "SAStepCompleted"];
    expect(typesOf(events, /^SA/)).toEqual([
      ...["SAInitialized", "SAContextLoaded", "SAPlanEvaluated", ...step, ...step, ...step],
      ...["SATraceEmitted", "SACompleted"],
    ]);
    const started = (events ?? []).filter((event) => event["event_type"] === "SAStepStarted");
    expect(started.map((event) => (event["payload"] as JsonObject)["step_id"])).toEqual(
      ["pack", "label", "send"].map(uuidFrom),
    );
    expect(Object.keys(output?.["results"] ?? {})).toHaveLength(3);
    // The queue of the tick is empty when it is over.
    expect(runtimeContext.events).toEqual([]);
    expect(await vsl.get("runs/run-123/output")).toEqual(output);
  });

  test("has one stage for each change of a status, and a pair around each execution", async () => {
    const { events = [] } = await start().result;
    const ofFamily = (family: string) => events.filter((one) => one["event_family"] === family);
    // The context becomes active; the plan is proposed, approved, begun and completed; each of
    // three steps is begun and completed.
    expect(ofFamily("pipeline_stage")).toHaveLength(1 + 4 + 3 * 2);
    expect(ofFamily("runtime_execution")).toHaveLength(3 * 2);
    const executions = ofFamily("runtime_execution").map((one) => one["execution_id"]);
    expect(new Set(executions).size).toBe(3);
    const updates = ofFamily("graph_update").map((one) => [
      one["event_type"],
      one["update_kind"],
      one["node_delta"],
      one["edge_delta"],
    ]);
    expect(updates).toEqual([
      ["context_created", "node_add", 1, 0],
      ["plan_created", "node_add", 4, 1 + 3 + 3],
      ["role_created", "node_add", 1, 0],
      ["confirm_created", "node_add", 1, 1],
      ["confirm_resolved", "node_update", 0, 0],
      ["trace_created", "node_add", 1, 2],
      ["trace_updated", "node_update", 0, 0],
      ["trace_updated", "node_update", 0, 0],
      ["trace_updated", "node_update", 0, 0],
    ]);
    for (const event of events.filter((one) => one["event_family"] !== undefined))
      expect(checkInvariants(INVARIANTS.observability, { event })).toEqual({
        kind: "checked",
        violations: [],
      });
  });

  test("whose step fails is failed: what depends on it is blocked, and it is said", async () => {
    const ael = {
      execute: async (action: unknown) => {
        if (JSON.stringify(action).includes("label")) throw new Error("a secret of the printer");
        return null;
      },
    };
    const { success, events, output } = await start({ ael }).result;
    expect(success).toBe(false);
    expect(typesOf(events, /^SA/).slice(3)).toEqual([
      ...["SAStepStarted", "SAStepCompleted", "SAStepStarted", "SAStepFailed"],
      ...["SATraceEmitted", "SACompleted"],
    ]);
    const stages = (events ?? []).map((event) => event["payload"] as JsonObject | undefined);
    const blocked = stages.filter((payload) => payload?.["to_status"] === "blocked");
    expect(blocked.map((payload) => payload?.["resource_id"])).toEqual([uuidFrom("send")]);
    expect(output?.["trace"]).toMatchObject({ status: "failed" });
    expect(JSON.stringify({ events, output })).not.toContain("secret");
  });

  test("whose step takes longer than STEP_MS_MAX is failed", async () => {
    const clock = manualClock();
    const ael = { execute: () => new Promise<never>(() => {}) };
    const { result } = start({ ael, clock });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(STEP_MS_MAX);
    expect((await result).success).toBe(false);
  });
});

describe("a flow is refused, and nothing is executed,", () => {
  const cyclic = [stepOf("a", ["b"]), stepOf("b", ["a"])];
  const other = { ...confirmObj, target_id: uuidFrom("another plan") };
  const stranger = { ...decisionOf("approved"), decided_by_role: "somebody" };
  test.each<[string, object, string]>([
    [
      "whose plan is in progress unapproved",
      { plan: { ...planObj, status: "in_progress" } },
      "transition-unknown",
    ],
    [
      "whose plan says it is approved",
      { plan: { ...planObj, status: "approved" } },
      "transition-unknown",
    ],
    ["whose plan has a cycle", { plan: { ...planObj, steps: cyclic } }, "cycle"],
    ["whose plan has no steps", { plan: { ...planObj, steps: [] } }, "object-invalid"],
    [
      "whose plan is in another context",
      { plan: { ...planObj, context_id: uuidFrom("x") } },
      "reference-unknown",
    ],
    ["whose plan has no id", { plan: { ...planObj, plan_id: "plan-1" } }, "object-invalid"],
    [
      "whose context is not active",
      { context: { ...contextObj, status: "draft" } },
      "sa_context_must_be_active",
    ],
    ["whose context is no object", { context: "a context" }, "output-invalid"],
    ["whose context is no JSON", { context: { made: () => 1 } }, "output-invalid"],
    [
      "whose confirm is about another plan",
      { confirm: { ...approval, confirm: other } },
      "reference-unknown",
    ],
    [
      "whose confirm has no decision",
      { confirm: { ...approval, decision: null } },
      "decision-given",
    ],
    [
      "whose decider may not approve",
      { confirm: { ...approval, decision: stranger } },
      "decider-permitted",
    ],
  ])("%s", async (_, made, rule) => {
    const executed: unknown[] = [];
    const ael = { execute: async (action: unknown) => executed.push(action) };
    const { success, error, events } = await start({ made, ael }).result;
    expect([success, error?.rule, executed]).toEqual([false, rule, []]);
    expect(typesOf(events, /^SAStep/)).toEqual([]);
    expect(typesOf(events, /^SA/).at(-1)).toBe("SACompleted");
  });

  test("a plan without a confirm, or with a rejected one, stays as it is", async () => {
    const confirm = { ...approval, decision: decisionOf("rejected") };
    const rejected = await start({ made: { confirm } }).result;
    expect([rejected.success, typesOf(rejected.events, /^SAStep/)]).toEqual([true, []]);
    const modules = { context: give(contextObj), plan: give(planObj) };
    const { success, events } = await start({ modules }).result;
    expect([success, typesOf(events, /^SAStep/)]).toEqual([true, []]);
  });

  test("a module that throws ends the flow, and leaves nothing in the queue", async () => {
    const fail = async () => {
      throw new Error("the module is broken");
    };
    const { result, runtimeContext } = start({ modules: { context: fail } });
    await expect(result).rejects.toThrow("the module is broken");
    expect(runtimeContext.events).toEqual([]);
  });
});

describe("modules", () => {
  test("are loaded and unloaded, and a flow goes on with those that it began with", async () => {
    const registry = createModuleRegistry();
    expect(registry.load("context", give(contextObj))).toBe(true);
    expect(registry.load("context", give(null))).toBe(false);
    registry.load("plan", async ({ ctx }) => {
      registry.unload("confirm");
      return { output: planObj, events: [{ seen: ctx.context !== undefined }] };
    });
    registry.load("confirm", give(approval));
    const { result } = start({ modules: registry.list() });
    expect(typesOf((await result).events, /^SAStepCompleted/)).toHaveLength(3);
    expect(registry.unload("confirm")).toBe(false);
    expect(Object.keys(registry.list())).toEqual(["context", "plan"]);
  });

  test("have plain names, and are at most MODULES_MAX", () => {
    const registry = createModuleRegistry();
    for (const name of ["", "a b", "__proto__", "A"])
      expect(() => registry.load(name, give({}))).toThrow(RangeError);
    for (let at = 0; at < MODULES_MAX; at++) registry.load(`m${at}`, give({}));
    expect(() => registry.load("more", give({}))).toThrow(RangeError);
  });
});
