import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { createLocalHost } from "../local/local-host.ts";
import { holdToEpoch } from "./hold-to-epoch.ts";
import { stepFor } from "./run-options.ts";
import { createSlots } from "./slots.ts";

const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const any = jsonSchema<object>(true);

/** A run that is handed to a worker whose only slot is in use. */
async function handOn() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let paid = 0;
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once", build: "1" },
    run: () => ({ paid: ++paid }),
  });
  const given = { loops: [pay], stores, signer, clock, ids: seededIds("late") };
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const run = await createLocalHost(given).start(pay, {}, { grant });
  const { epoch } = await stores.log.takeEpoch(run);
  const slots = createSlots(1);
  const leave = await slots.take({ tenant: "other", clock, waitMs: 0 });
  const found = holdToEpoch({ tenant: "acme", run, ports: bindHost(given) }, epoch);
  const ports = { kind: "unserved", nowMs: 0, hasRun: async () => true } as const;
  const stepping = stepFor(found, { portsOf: async () => ports, slots }, { from: "release" });
  return { stores, run, epoch, leave, stepping, countPaid: () => paid };
}

test("whoever waits for a slot until the run was taken back does nothing", async () => {
  const { stores, run, epoch, leave, stepping, countPaid } = await handOn();
  await stores.log.takeEpoch(run);
  leave?.();
  expect(await stepping).toMatchObject({ continues: false, sequence: 0 });
  expect(countPaid()).toBe(0);
  expect((await stores.log.readHead(run))?.epoch).toBe(epoch + 1);
});

test("whoever finds the run as it was left takes its step", async () => {
  const { stores, run, epoch, leave, stepping, countPaid } = await handOn();
  leave?.();
  expect(await stepping).toMatchObject({ continues: false });
  expect(countPaid()).toBe(1);
  expect((await stores.log.readHead(run))?.epoch).toBe(epoch + 1);
});
