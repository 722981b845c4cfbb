import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const signer = {
  keyId: "key",
  issuer: "development" as const,
  sign: async () => new Uint8Array(64),
};
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };

function pay(version: string, paid: string[]) {
  return defineTool({
    ...{ id: "pay", version, effect: "idempotent" as const },
    ...{ input: jsonSchema<object>({}), output: jsonSchema<object>({}) },
    run: () => {
      paid.push(version);
      return {};
    },
  });
}

test("a run that is pinned to a version acts with its own function", async () => {
  for (const versions of [
    ["1.0.0", "2.0.0"],
    ["2.0.0", "1.0.0"],
  ]) {
    const clock = manualClock();
    const paid: string[] = [];
    const loops = versions.map((version) => pay(version, paid));
    const stores = memoryStores(clock);
    const host = createLocalHost({ loops, stores, signer, clock, ids: seededIds("pay") });
    for (const loop of loops)
      await host.drive(await host.start(loop, {}, { grant, key: loop.definition.version }));
    expect(paid).toEqual(versions);
  }
});

test("a host with two functions for one version of a tool is not opened", () => {
  const loops = [pay("1.0.0", []), pay("1.0.0", [])];
  const stores = memoryStores(manualClock());
  expect(() => createLocalHost({ loops, stores, signer })).toThrow(
    expect.objectContaining({
      code: "LOOP_REFUSED",
      message: expect.stringContaining("local.pay"),
    }),
  );
});
