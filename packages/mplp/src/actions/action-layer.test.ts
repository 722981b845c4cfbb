import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, InMemoryVSL, memoryStores, systemClock } from "@turnseal/ports";
import { type JsonValue, uuidFrom } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { runSingleAgentFlow } from "../index.ts";
import { actionExecutionContract } from "./action-execution-contract.ts";
import { createActionLayer } from "./action-layer.ts";

async function createShop() {
  const paid: string[] = [];
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0" },
    input: jsonSchema<{ readonly order: string }>({
      ...{ type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    }),
    output: jsonSchema<{ readonly paid: string }>({ type: "object" }),
    effect: "idempotent",
    run: ({ order }) => {
      if (order === "broken") throw new Error("the bank said no");
      paid.push(order);
      return { paid: order };
    },
  });
  const signer = await createMemorySigner();
  const stores = memoryStores(systemClock);
  const host = createLocalHost({ loops: [pay], stores, signer });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const layer = createActionLayer({ host, loops: [pay], start: { grant } });
  const bare = { ...grant, tools: [] };
  const denied = createActionLayer({ host, loops: [pay], start: { grant: bare } });
  return { paid, pay, host, stores, layer, denied };
}

/** The modules of a flow whose approved plan has a step for each order. */
function createFlow(orders: readonly string[]) {
  const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
  const [context, plan, role] = ["context", "plan", "role"].map(uuidFrom);
  const root = { domain: "shop", environment: "test" };
  const made = {
    context: { meta, context_id: context, root, title: "Shop", status: "active" },
    plan: {
      ...{ meta, plan_id: plan, context_id: context, title: "Pay", objective: "Paid" },
      status: "draft",
      steps: orders.map((order) => ({
        ...{ step_id: uuidFrom(order), description: order, status: "pending" },
        dependencies: [],
      })),
    },
    confirm: {
      role: { meta, role_id: role, name: "Lead", capabilities: ["confirm.approve"] },
      confirm: {
        ...{ meta, confirm_id: uuidFrom("confirm"), target_type: "plan", target_id: plan },
        ...{ status: "pending", requested_by_role: "packer", requested_at: "2026-01-01T00:00:00Z" },
      },
      decision: {
        ...{ decision_id: uuidFrom("decision"), status: "approved", decided_by_role: role },
        ...{ decided_at: "2026-01-01T00:00:01Z", reason: "as agreed" },
      },
    },
  };
  const modules = Object.fromEntries(
    Object.entries(made).map(([name, output]) => [name, async () => ({ output, events: [] })]),
  );
  return { plan: made.plan, modules };
}

describe("actions that are executed as runs keep the contract", () => {
  const create = async () => ({
    layer: (await createShop()).layer,
    action: { loop: "pay", input: { order: "A" } },
    result: { paid: "A" },
    failing: { loop: "pay", input: { order: "broken" } },
  });
  for (const { name, run } of actionExecutionContract({ create })) test(name, run);
});

test("an action is claimed, settled and sealed, and the same key executes it once", async () => {
  const { layer, paid, stores } = await createShop();
  const action = { loop: "pay", input: { order: "A" }, key: "order A" };
  expect(await layer.execute(action)).toEqual({ paid: "A" });
  expect(await layer.execute(action)).toEqual({ paid: "A" });
  expect(paid).toEqual(["A"]);
  const [{ run = "" } = {}] = await stores.runs.list();
  const types = (await stores.log.read(run, 1)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("action."))).toEqual([
    ...["action.claimed", "action.settled"],
  ]);
  expect(await stores.receipts.list(run, 1)).toHaveLength(1);
});

test("the steps of a flow are runs, by what is said of each, and once", async () => {
  const { host, pay, paid, stores } = await createShop();
  const { plan, modules } = createFlow(["A", "B"]);
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const asPayment = (step: JsonValue) => {
    const { description, step_id: id } = step as { description: string; step_id: string };
    return { loop: "pay", input: { order: description }, key: id };
  };
  const ael = createActionLayer({ host, loops: [pay], start: { grant }, read: asPayment });
  const ids = { runId: "flow-1" };
  const flow = () =>
    runSingleAgentFlow({
      ...{ flow: {}, modules, vsl: new InMemoryVSL(), ael },
      runtimeContext: { ids, coordination: { ids, metadata: {} }, events: [] },
    });
  const { success, output } = await flow();
  expect(success).toBe(true);
  const results = plan.steps.map(({ step_id: id, description }) => [id, { paid: description }]);
  expect(output?.["results"]).toEqual(Object.fromEntries(results));
  expect(await flow()).toMatchObject({ success: true });
  expect(paid).toEqual(["A", "B"]);
  expect(await stores.runs.list()).toHaveLength(2);
});

test("a step that nobody reads is refused, and so is what is read wrongly", async () => {
  const { host, pay, layer, paid } = await createShop();
  const step = { kind: "step", run_id: "flow-1", step_id: "s", description: "A" };
  await expect(layer.execute(step)).rejects.toMatchObject({ code: "INPUT_REFUSED" });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  for (const read of [() => ({}), () => undefined, () => ({ loop: "pay", input: 1n })]) {
    const wrong = createActionLayer({ host, loops: [pay], start: { grant }, read: read as never });
    await expect(wrong.execute(step)).rejects.toMatchObject({ code: "INPUT_REFUSED" });
  }
  expect(paid).toEqual([]);
});

test("what is no action, not known or not granted is refused, and nothing is done", async () => {
  const { layer, denied, paid } = await createShop();
  const input = { order: "A" };
  for (const wrong of [null, "pay", {}, { loop: "pay" }, { loop: "pay", input, more: 1 }])
    await expect(layer.execute(wrong)).rejects.toMatchObject({ code: "INPUT_REFUSED" });
  await expect(layer.execute({ loop: "other", input })).rejects.toMatchObject({
    code: "LOOP_UNKNOWN",
  });
  await expect(denied.execute({ loop: "pay", input })).rejects.toMatchObject({
    code: "ACTION_UNFINISHED",
  });
  expect(paid).toEqual([]);
});
