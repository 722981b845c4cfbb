import { type ManualClock, manualClock, memoryStores } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { interruptPayment } from "../scenarios/__fixtures__/interrupt-payment.ts";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { createLocalHost } from "./local-host.ts";

/** Lets the time pass in steps, so that what waits for it can go on between them. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100);
    await new Promise((resume) => setTimeout(resume, 0));
  }
}

test("a run is driven until it stops", async () => {
  const { host, start } = createPayments();
  expect((await host.drive(await start())).dues).toEqual({ kind: "done" });
});

test("a claim that may still be acted upon is waited for, and then a person is asked", async () => {
  const { run, next, clock } = await interruptPayment();
  const { host } = next();
  const driven = host.drive(run);
  const startMs = clock.now();
  await pass(clock, 12_000);
  expect((await driven).dues).toEqual({ kind: "wait" });
  const { openTurn, lastAt } = (await host.show(run)) ?? {};
  expect(openTurn?.open).toMatchObject([{ isUnknown: true }]);
  // Its limit is a second; the log may take five before the act, and five more are its grace.
  expect(Date.parse(lastAt ?? "") - startMs).toBeGreaterThanOrEqual(11_000);
});

test("a cancel does not wait for a deadline", async () => {
  const { run, next, clock } = await interruptPayment();
  const { host } = next();
  const driven = host.drive(run);
  const startMs = clock.now();
  await pass(clock, 500);
  await host.cancel(run, { key: "one", by: "ada" });
  await pass(clock, 500);
  expect((await driven).dues).toEqual({ kind: "done" });
  const { stopped, lastAt } = (await host.show(run)) ?? {};
  expect(stopped).toBe("cancelled");
  expect(Date.parse(lastAt ?? "") - startMs).toBeLessThanOrEqual(1_000);
});

test("a run is driven from one time of its schedule to the next", async () => {
  const { host, clock, agent } = createPayments({ effect: "idempotent" });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const bounds = { schedules: [{ name: "minute", cron: "* * * * *" }], turnsMax: 3 };
  const run = await host.start(agent, { order: "A" }, { grant, bounds });
  const startMs = clock.now();
  const driven = host.drive(run);
  let isOver = false;
  void driven.then(() => {
    isOver = true;
  });
  for (let steps = 0; steps < 200 && !isOver; steps++) {
    clock.advance(1_000);
    await new Promise((resume) => setTimeout(resume, 0));
  }
  expect((await driven).dues).toEqual({ kind: "done" });
  const { turns, stopped } = (await host.show(run)) ?? {};
  expect([turns, stopped]).toEqual([3, "turns-exhausted"]);
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(2 * 60_000);
});

test("a schedule that cannot be kept is refused before anything is started", async () => {
  const { host, agent } = createPayments();
  const grant = { grantor: "ada", tools: [], budget: {} };
  const start = (cron: string, timezone = "UTC") =>
    host.start(
      agent,
      { order: "A" },
      { grant, bounds: { schedules: [{ name: "s", cron, timezone }] } },
    );
  for (const refused of [start("99 * * * *"), start("0 0 31 2 *"), start("0 9 * * *", "Mars/X")])
    await expect(refused).rejects.toMatchObject({ code: "BOUNDS_REFUSED" });
});

test("a cancel does not wait for the time of a run that was handed to", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const any = jsonSchema<object>(true);
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", input: any, output: any, effect: "read" },
    run: () => ({}),
  });
  const bounds = { awaits: ["tick"], schedules: [{ name: "tick", cron: "0 0 1 1 *" }] };
  const handTo = (id: string, loop: string, config: JsonObject): Loop<object, object> => ({
    definition: {
      ...{ id, name: id, version: "1.0.0", kind: "tool", inputSchema: true, outputSchema: true },
      tool: { implementation: "turnseal.handoff", config: { loop, ...config } },
    },
  });
  const below = { tools: ["local.look"] };
  const middle = handTo("middle", "look", { grant: below, bounds });
  const top = handTo("top", "middle", { grant: { ...below, handoffs: ["look"] } });
  const host = createLocalHost({ loops: [look, middle, top], stores, signer, clock });
  const handoffs = ["look", "middle"];
  const grant = { grantor: "ada", tools: ["local.look"], handoffs, depth: 2, budget: {} };
  const run = await host.start(top, {}, { grant });
  const driven = host.drive(run);
  await pass(clock, 1_000);
  await host.cancel(run, { key: "stop", by: "ada" });
  await pass(clock, 2_000);
  expect(await host.show(run)).toMatchObject({ stopped: "cancelled" });
  expect((await driven).dues).toEqual({ kind: "done" });
});
