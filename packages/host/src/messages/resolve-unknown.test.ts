// Who may resolve an unknown action. A wrong answer blocks no other.
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { type JsonValue, VALUE_DEPTH_MAX } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../local/local-host.ts";
import { policyOf, signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { resolveMessage } from "./inbox-messages.ts";

const anything = jsonSchema<JsonValue>(true);
const finance = { id: "fin", roles: ["finance"] };
const intern = { id: "intern", roles: [] };

/** A payment that finance approved, with an unknown end. */
async function openUnknown() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", implementation: "local.pay", effect: "once", build: "test" },
    input: anything,
    output: anything,
    run: () => {
      throw new Error("the connection was lost");
    },
  });
  const policy = policyOf({ id: "ask", decision: "ask", tools: ["local.pay"], role: "finance" });
  const host = createLocalHost({ loops: [pay], stores, signer, clock, ids: seededIds("desk") });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const run = await host.start(pay, {}, { key: "run", grant, policy });
  await host.drive(run);
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "approve", by: finance });
  const advanced = await host.drive(run);
  const claim = "projection" in advanced ? advanced.projection.openTurn?.open[0] : undefined;
  if (claim === undefined) throw new Error("nothing is unknown");
  return { host, stores, run, claim };
}

test("whoever may not answer is told so before anything is put", async () => {
  const { host, stores, run, claim } = await openUnknown();
  const { key } = claim;
  await expect(host.resolve(run, { key, resolution: "abandon", by: intern })).rejects.toMatchObject(
    { code: "ROLE_MISSING" },
  );
  await expect(
    host.resolve(run, { key, resolution: "abandon", by: { id: "", roles: ["finance"] } }),
  ).rejects.toMatchObject({ code: "IDENTITY_MISSING" });
  expect(await stores.inbox.has(run)).toBe(false);
  await host.resolve(run, { key, resolution: "happened", result: 1, by: finance });
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
});

test("a result that nobody can keep is refused, and a better one is taken", async () => {
  const { host, run, claim } = await openUnknown();
  const { key } = claim;
  let result: JsonValue = 1;
  for (let level = 0; level <= VALUE_DEPTH_MAX; level++) result = [result];
  const answer = { key, resolution: "happened", by: finance } as const;
  await expect(host.resolve(run, { ...answer, result })).rejects.toMatchObject({
    code: "ANSWER_REFUSED",
  });
  expect(await host.resolve(run, { ...answer, result: 1 })).toEqual({ kind: "stored" });
});

test("a word that was put past the host and is refused takes nobody's key", async () => {
  const { host, stores, run, claim } = await openUnknown();
  const wrong = resolveMessage(run, claim, { resolution: "abandon", by: intern });
  expect(await stores.inbox.put(wrong)).toEqual({ kind: "stored" });
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "wait" } });
  const right = { key: claim.key, resolution: "happened", result: 1, by: finance } as const;
  expect(await host.resolve(run, right)).toEqual({ kind: "stored" });
  expect(await host.resolve(run, right)).toEqual({ kind: "known" });
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
});
