// Only a rollback, or the group that did the action, may call a compensation. Any other caller is
// refused before a claim: no log says falsely that it takes an action back.
import { createMemorySigner, manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { collectRun } from "../../read/run/collect-run.ts";
import { runOfKey } from "../../run-ids.ts";

const signer = await createMemorySigner();
const keys: PublicKey[] = [
  {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  },
];

const anything = jsonSchema<JsonObject>({ type: "object" });
const put = defineTool({
  ...{ id: "put", version: "1.0.0", build: "1", effect: "idempotent" },
  ...{ input: anything, output: anything, run: (input) => input },
  compensate: { effect: "idempotent", build: "1", run: () => null },
});

/** Calls the compensation with what its input says. */
const tidy = {
  definition: {
    ...{ id: "tidy", name: "tidy", version: "1.0.0", kind: "composite" as const },
    ...{ inputSchema: { type: "object" }, outputSchema: true },
    composite: {
      flow: {
        kind: "call" as const,
        loopId: "put.undo",
        inputMapping: { takesBack: "$.input.takesBack" },
      },
    },
  },
  uses: [put],
};

test.each<readonly [string, string, string]>([
  ["its own run, as a group would", runOfKey("eve"), ""],
  ["its own run, as a rollback would", runOfKey("eve"), "sha256:0"],
  ["another run", "other", "sha256:0"],
])("a flow that names %s claims nothing, and its run verifies", async (_, run, receipt) => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const bound = { stores, clock, signer, ids: seededIds("desk") };
  const host = createLocalHost({ loops: [tidy as never, put], ...bound });
  const takesBack = { run, turn: 1, key: "k", receipt, input: {}, result: {} };
  const started = await host.start(tidy as never, { takesBack } as never, {
    ...{ key: "eve", by: "eve", bounds: { turnsMax: 1 } },
    grant: { grantor: "eve", tools: ["local.put.undo"], budget: {} },
  });
  expect(started).toBe(runOfKey("eve"));
  const { projection } = await host.advance(started);
  expect(projection?.stopped).toBe("denied");
  const events = await stores.log.read(started, 1);
  expect(events.filter(({ type }) => type === "action.claimed")).toEqual([]);
  const refused = events.find(({ type }) => type === "call.errored");
  expect(refused?.content).toMatchObject({
    code: "POLICY_DENIED",
    details: { denial: "rollback-missing" },
  });
  const { findings } = await verifyRun(await collectRun(stores, started), { keys });
  expect(findings).toEqual([]);
  for await (const { replayed } of host.replay(started))
    expect(replayed).toEqual({ kind: "identical" });
});
