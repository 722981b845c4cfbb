// People approve an action as they see it: its cost and its declarations are a part of that.
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { findFaults, signer } from "../__fixtures__/refund-desk.ts";

const any = jsonSchema<object>(true);
const policy: Policy = { name: "ask", rules: [{ id: "pay", decision: "ask", approvers: 1 }] };
const by = { id: "bob", roles: [] };

interface Declared {
  readonly price: number;
  readonly effect?: "once" | "idempotent";
}

async function openShop(first: Declared) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid: number[] = [];
  const deploy = ({ price, effect = "once" }: Declared) => {
    const pay = defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, effect, build: "one" },
      needs: () => ({ amounts: { moneyMicros: price } }),
      run: () => {
        paid.push(price);
        return {};
      },
    });
    const loops = [pay] as Parameters<typeof createLocalHost>[0]["loops"];
    return { pay, host: createLocalHost({ loops, stores, signer, clock, ids: seededIds("shop") }) };
  };
  const { pay, host } = deploy(first);
  const grant = { grantor: "ada", tools: ["local.pay"], budget: { moneyMicros: 10_000_000 } };
  const run = await host.start(pay, {}, { grant, policy });
  await host.drive(run);
  const approve = async (declared: Declared) => {
    const today = deploy(declared).host;
    const [request] = await today.requests(run);
    await today.decide(run, request?.id ?? "", { choice: "approve", by });
    await today.drive(run);
  };
  const faults = () => findFaults(run, stores);
  return { paid, approve, faults, events: () => stores.log.read(run, 1) };
}

const costs = (events: Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>["events"]>>) =>
  events.flatMap(({ type, content }) =>
    type === "approval.requested" || type === "action.claimed"
      ? [[type, content.reserve.moneyMicros]]
      : [],
  );

test("an action that costs more than people saw is asked for again", async () => {
  const shop = await openShop({ price: 5 });
  await shop.approve({ price: 6 });
  expect(shop.paid).toEqual([]);
  await shop.approve({ price: 6 });
  expect(shop.paid).toEqual([6]);
  expect(costs(await shop.events())).toEqual([
    ["approval.requested", 5],
    ["approval.requested", 6],
    ["action.claimed", 6],
  ]);
  expect(await shop.faults()).toEqual([]);
});

test("an action that costs as much, or less, is done under its approval", async () => {
  for (const price of [5, 4]) {
    const shop = await openShop({ price: 5 });
    await shop.approve({ price });
    expect(shop.paid).toEqual([price]);
  }
});

test("an action that declares another effect by then is asked for again", async () => {
  const shop = await openShop({ price: 5 });
  await shop.approve({ price: 5, effect: "idempotent" });
  expect(shop.paid).toEqual([]);
  await shop.approve({ price: 5, effect: "idempotent" });
  expect(shop.paid).toEqual([5]);
  expect(await shop.faults()).toEqual([]);
});
