// A person's word that something does not begin: nothing ends, and everything goes on afterwards.
import { manualClock, memoryStores, type Signer, StoreError, seededIds } from "@turnseal/ports";
import { formatPause, type Pause } from "@turnseal/protocol";
import { defineComposite, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { advance } from "../../advance.ts";
import { bindHost } from "../../bind-host.ts";
import { BLOCKED_PAUSE_MS, lookAtOf, PAUSED_LOOK_MS_MAX } from "../../decide/look-at.ts";
import { createLocalHost } from "../../local/local-host.ts";

const any = jsonSchema<object>(true);
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const grant = { grantor: "ada", tools: ["local.look", "local.pay"], budget: {} };
const since = "2026-01-31T12:00:00.000Z";

function pause(scope: Pause["scope"], name = ""): Pause {
  return { scope, name, because: "paid twice", by: "grace", since };
}

/** A run that looks, and then pays: a step of its own each. */
async function openShop(effect: "idempotent" | "reconcile" = "idempotent") {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const shop = { acted: [] as string[], asked: 0, isDeadly: false, onLook: () => {} };
  const define = (id: string, act: () => Promise<object>) =>
    defineTool({
      ...{ id, version: "1.0.0", input: any, output: any, effect, build: "1" },
      ...{ policy: { timeoutMs: 60_000 } },
      ...(effect === "reconcile"
        ? {
            reconcile: async () => {
              shop.asked += 1;
              return { kind: "never" as const };
            },
          }
        : {}),
      run: async () => {
        shop.acted.push(id);
        return act();
      },
    });
  const look = define("look", async () => {
    shop.onLook();
    return {};
  });
  const pay = define("pay", () =>
    shop.isDeadly ? new Promise<object>(() => {}) : Promise.resolve({}),
  );
  const order = defineComposite({
    ...{ id: "order", version: "1.0.0", input: any, output: any },
    steps: (steps) => steps.call("looked", look, () => ({})).call("paid", pay, () => ({})),
  });
  const parts = { loops: [order], stores, signer, clock, ids: seededIds("order") };
  const host = createLocalHost(parts);
  const run = await host.start(order, {}, { grant });
  const place: { pauses: readonly Pause[] | undefined } = { pauses: [] };
  const pauses = async () => {
    if (place.pauses === undefined) throw new StoreError("STORE_UNREACHABLE", "away");
    return place.pauses;
  };
  const ports = bindHost({ ...parts, pauses });
  const step = () => advance(run, ports, { quarantines: true });
  const count = async (type: string) =>
    (await stores.log.read(run, 1)).filter((event) => event.type === type).length;
  return { clock, stores, shop, host, run, place, step, count };
}

test.each([
  ["everything", pause("all")],
  ["its tenant", pause("tenant", "acme")],
  ["its loop", pause("loop", "order")],
])("where %s is paused nothing begins, it is said once, and it goes on", async (_, paused) => {
  const { clock, shop, host, run, place, step, count } = await openShop();
  place.pauses = [paused];
  for (let looks = 0; looks < 3; looks++) {
    const { dues } = await step();
    expect(dues).toMatchObject({ kind: "blocked", why: "paused", what: formatPause(paused) });
    clock.advance(PAUSED_LOOK_MS_MAX);
  }
  expect([shop.acted, await count("turn.started"), await count("run.blocked")]).toEqual([[], 0, 1]);
  expect(await host.show(run)).toMatchObject({
    ...{ stopped: null, blocked: { cause: "paused", what: expect.stringContaining("by grace") } },
  });
  place.pauses = [];
  expect((await step()).dues).toEqual({ kind: "done" });
  expect(shop.acted).toEqual(["look", "pay"]);
  expect(await host.show(run)).toMatchObject({ stopped: "goal-reached", blocked: null });
});

test.each([
  ["a tool of it", pause("tool", "local.pay")],
  ["a loop that it calls", pause("loop", "pay")],
])("a turn in progress does not begin %s, and is left as it is", async (_, paused) => {
  const { shop, place, step, count, clock } = await openShop();
  shop.onLook = () => {
    place.pauses = [paused];
  };
  for (let looks = 0; looks < 3; looks++) {
    expect((await step()).dues).toMatchObject({ why: "paused", what: formatPause(paused) });
    clock.advance(PAUSED_LOOK_MS_MAX);
  }
  // That it waits costs no resume, and no event but the first.
  expect(shop.acted).toEqual(["look"]);
  expect([await count("turn.resumed"), await count("run.blocked")]).toEqual([0, 1]);
  place.pauses = [];
  expect((await step()).dues).toEqual({ kind: "done" });
  expect(shop.acted).toEqual(["look", "pay"]);
});

test("what is paused elsewhere keeps nothing, and what acts ends", async () => {
  const { shop, place, step } = await openShop();
  place.pauses = [pause("tool", "local.other"), pause("loop", "other")];
  shop.onLook = () => {
    place.pauses = [pause("tool", "local.look")];
  };
  expect((await step()).dues).toEqual({ kind: "done" });
  expect(shop.acted).toEqual(["look", "pay"]);
});

test("an action whose worker was lost is neither done again nor asked about", async () => {
  const { shop, place, step, count, clock } = await openShop("reconcile");
  shop.isDeadly = true;
  step().catch(() => {});
  while (!shop.acted.includes("pay")) await Promise.resolve();
  clock.advance(600_000);
  place.pauses = [pause("tool", "local.pay")];
  expect((await step()).dues).toMatchObject({ why: "paused" });
  expect([shop.acted, shop.asked, await count("turn.resumed")]).toEqual([["look", "pay"], 0, 0]);
  shop.isDeadly = false;
  place.pauses = [];
  expect((await step()).dues).toEqual({ kind: "done" });
  expect([shop.acted, shop.asked]).toEqual([["look", "pay", "pay"], 1]);
});

test("while it cannot be read what is paused, nothing begins", async () => {
  const { shop, place, step, clock } = await openShop();
  place.pauses = undefined;
  await expect(step()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(shop.acted).toEqual([]);
  place.pauses = [];
  shop.onLook = () => {
    place.pauses = undefined;
  };
  expect((await step()).dues).toMatchObject({ kind: "wake" });
  expect(shop.acted).toEqual(["look"]);
  place.pauses = [];
  clock.advance(60_000);
  expect((await step()).dues).toEqual({ kind: "done" });
});

test("a cancel ends a paused run, and nothing begins for it", async () => {
  const { shop, host, run, place, step } = await openShop();
  shop.onLook = () => {
    place.pauses = [pause("all")];
  };
  await step();
  await host.cancel(run, { key: "stop", by: "bob" });
  expect((await step()).dues).toEqual({ kind: "done" });
  expect(shop.acted).toEqual(["look"]);
  expect(await host.show(run)).toMatchObject({ stopped: "cancelled" });
});

test("another pause is said anew, and a paused run is looked at within five minutes", async () => {
  const { clock, place, step, count } = await openShop();
  place.pauses = [pause("all")];
  const { dues } = await step();
  expect(lookAtOf(dues, clock.now())).toBe(clock.now() + BLOCKED_PAUSE_MS);
  clock.advance(24 * 3_600_000);
  expect(lookAtOf((await step()).dues, clock.now())).toBe(clock.now() + PAUSED_LOOK_MS_MAX);
  expect(PAUSED_LOOK_MS_MAX).toBe(5 * 60_000);
  place.pauses = [pause("loop", "order")];
  expect((await step()).dues).toMatchObject({ what: formatPause(pause("loop", "order")) });
  expect(await count("run.blocked")).toBe(2);
});
