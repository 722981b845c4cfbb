import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const any = jsonSchema<object>(true);
const policy: Policy = { name: "ask", rules: [{ id: "pay", decision: "ask", approvers: 1 }] };
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const by = { id: "bob", roles: [] };

function openShop() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid: string[] = [];
  const pay = (build: string) =>
    defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once", build },
      run: () => {
        paid.push(build);
        return {};
      },
    });
  const deploy = (build: string) =>
    createLocalHost({ loops: [pay(build)], stores, signer, clock, ids: seededIds("shop") });
  const approve = async (build: string, run: string) => {
    const host = deploy(build);
    const [request] = await host.requests(run);
    await host.decide(run, request?.id ?? "", { choice: "approve", by });
    return host.drive(run);
  };
  return { stores, paid, pay, deploy, approve };
}

test("code that changed after the approval was asked for does not act under it", async () => {
  const shop = openShop();
  const run = await shop.deploy("one").start(shop.pay("one"), {}, { grant, policy });
  await shop.deploy("one").drive(run);
  expect((await shop.approve("two", run)).dues.kind).toBe("wait");
  expect(shop.paid).toEqual([]);
  const events = await shop.stores.log.read(run, 1);
  const asked = events.filter((event) => event.type === "approval.requested");
  expect(asked.map(({ content }) => content)).toMatchObject([{ build: "one" }, { build: "two" }]);
  expect(asked[1]?.content).toMatchObject({ replaces: asked[0]?.sequence, because: "build" });
  // The same people may decide again, and it is done once.
  expect((await shop.approve("two", run)).projection).toMatchObject({ stopped: "goal-reached" });
  expect(shop.paid).toEqual(["two"]);
  const claims = (await shop.stores.log.read(run, 1)).filter(
    (event) => event.type === "action.claimed",
  );
  expect(claims.map(({ content }) => content)).toMatchObject([{ approval: asked[1]?.sequence }]);
  for await (const { replayed } of shop.deploy("two").replay(run))
    expect(replayed).toEqual({ kind: "identical" });
});

test("a check names the code that changed since the approval, before anybody resumes", async () => {
  const shop = openShop();
  const run = await shop.deploy("one").start(shop.pay("one"), {}, { grant, policy });
  const host = shop.deploy("one");
  await host.drive(run);
  expect((await host.checkResume(run))?.tools).toEqual([]);
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "approve", by });
  expect((await shop.deploy("two").checkResume(run))?.tools).toEqual([
    { name: "local.pay", recorded: "one", now: "two" },
  ]);
});

test("a build that comes back is asked for anew as well: each yes is for one request", async () => {
  const shop = openShop();
  const run = await shop.deploy("one").start(shop.pay("one"), {}, { grant, policy });
  await shop.deploy("one").drive(run);
  await shop.approve("two", run);
  await shop.approve("one", run);
  expect(shop.paid).toEqual([]);
  await shop.approve("one", run);
  expect(shop.paid).toEqual(["one"]);
});

test("code that is as it was acts under its approval", async () => {
  const shop = openShop();
  const run = await shop.deploy("one").start(shop.pay("one"), {}, { grant, policy });
  await shop.deploy("one").drive(run);
  await shop.approve("one", run);
  expect(shop.paid).toEqual(["one"]);
});
