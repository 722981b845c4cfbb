import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const signer: Signer = {
  keyId: "key",
  issuer: "development",
  sign: async () => new Uint8Array(64),
};
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const by = { id: "bob", roles: [] };
const HOUR_MS = 60 * 60 * 1000;
const denies: Policy = {
  name: "today",
  rules: [{ id: "no", decision: "deny", tools: ["local.pay"] }],
};

/** A tool that honours its key has acted, and its worker died before it could say so. */
async function openActed() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let acts = 0;
  const pay = (answers: boolean) =>
    defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
      run: () => {
        acts += 1;
        return answers ? {} : new Promise<object>(() => {});
      },
    });
  const deploy = (answers: boolean, policy?: Policy) =>
    createLocalHost({
      ...{ loops: [pay(answers)], stores, signer, clock, ids: seededIds("since") },
      ...(policy === undefined ? {} : { policy }),
    });
  const first = deploy(false);
  const run = await first.start(pay(false), {}, { grant });
  first.advance(run).catch(() => {});
  while (acts === 0) await new Promise((resume) => setImmediate(resume));
  const typesOf = async () => (await stores.log.read(run, 1)).map(({ type }) => type);
  const keyOf = async () => (await first.show(run))?.openTurn?.open[0]?.key;
  return { run, clock, deploy, typesOf, keyOf, acts: () => acts };
}

test("what may have happened is not denied by rules that came since", async () => {
  const { run, clock, deploy, typesOf, keyOf, acts } = await openActed();
  const denying = deploy(true, denies);
  // There is no question while the worker that claimed it may still act.
  expect(await denying.advance(run)).toMatchObject({ dues: { kind: "wake" } });
  expect(await typesOf()).not.toContain("action.unknown");
  clock.advance(HOUR_MS);
  for (let look = 0; look < 3; look++)
    expect(await denying.drive(run)).toMatchObject({ dues: { kind: "wait" } });
  expect(acts()).toBe(1);
  const types = await typesOf();
  expect(types.filter((type) => type === "action.unknown")).toHaveLength(1);
  expect(types).not.toContain("action.resolved");
  const key = (await keyOf()) ?? "";
  await denying.resolve(run, { key, resolution: "happened", result: {}, by });
  expect(await denying.drive(run)).toMatchObject({
    projection: { stopped: "goal-reached", spending: { open: {} } },
  });
  expect(acts()).toBe(1);
});

test("when the rules let it act again, a person may have it tried again", async () => {
  const { run, clock, deploy, keyOf, acts } = await openActed();
  clock.advance(HOUR_MS);
  await deploy(true, denies).drive(run);
  const allowing = deploy(true);
  const key = (await keyOf()) ?? "";
  await allowing.resolve(run, { key, resolution: "retry", by });
  expect(await allowing.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
  expect(acts()).toBe(2);
});
