import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { actionExecutionContract } from "@turnseal/ports/contracts";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createActionLayer } from "./action-layer.ts";
import { createLocalHost } from "./local-host.ts";

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
  return { paid, host, stores, layer, denied };
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
