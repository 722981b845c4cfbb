// A process ends while a tool acts, and the next one has a build that declares something else.
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { canonicalize, type Effect } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer, signingKey } from "../__fixtures__/refund-desk.ts";

const any = jsonSchema<object>(true);
const HOUR_MS = 60 * 60 * 1000;
const by = { id: "bob", roles: [] };
const term = (resource: string) => ({
  ...{ id: resource, family: "effect", resource, verbs: ["execute" as const] },
  ...{ capabilities: [], bounds: {}, conditions: [], approvals: [] },
});
const grant = {
  ...{ grantor: "ada", tools: ["local.pay"], budget: {} },
  terms: [term("bank"), term("till")],
};

interface Build {
  readonly build: string;
  readonly effect: Effect;
  /** The resource that it needs. */
  readonly needs?: string;
}

/** A tool has acted, and its worker died before it could say so. */
async function openActed(before: Build) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let acts = 0;
  const pay = ({ needs, ...declared }: Build, answers: boolean) =>
    defineTool({
      ...{ id: "pay", version: "1.0.0", input: any, output: any, ...declared },
      ...(needs === undefined
        ? {}
        : {
            needs: () => ({
              terms: [{ family: "effect", resource: needs, verb: "execute" as const }],
            }),
          }),
      run: () => {
        acts += 1;
        return answers ? {} : new Promise<object>(() => {});
      },
    });
  const deploy = (build: Build, answers = true) =>
    createLocalHost({ loops: [pay(build, answers)], stores, signer, clock, ids: seededIds("d") });
  const first = deploy(before, false);
  const run = await first.start(pay(before, false), {}, { grant });
  first.advance(run).catch(() => {});
  while (acts === 0) await new Promise((resume) => setImmediate(resume));
  clock.advance(HOUR_MS);
  const keyOf = async () => (await first.show(run))?.openTurn?.open[0]?.key ?? "";
  const verify = async () => {
    const events = await stores.log.read(run, 1);
    const kept = await stores.receipts.list(run, 1);
    const receipts = kept.map(({ envelope }) => canonicalize(envelope));
    return verifyRun({ run, events, receipts }, { keys: [signingKey] });
  };
  return { run, deploy, keyOf, verify, acts: () => acts };
}

const changes: readonly (readonly [string, Build, Build])[] = [
  ["once to idempotent", { build: "1", effect: "once" }, { build: "2", effect: "idempotent" }],
  ["once to read", { build: "1", effect: "once" }, { build: "2", effect: "read" }],
  ["idempotent to read", { build: "1", effect: "idempotent" }, { build: "2", effect: "read" }],
  ["idempotent to once", { build: "1", effect: "idempotent" }, { build: "2", effect: "once" }],
  [
    "one need to another",
    { build: "1", effect: "idempotent", needs: "bank" },
    { build: "2", effect: "idempotent", needs: "till" },
  ],
];

describe.each(changes)("from %s", (_, before, after) => {
  test("a person is asked what became of it, and it is not done again", async () => {
    const { run, deploy, keyOf, verify, acts } = await openActed(before);
    for (let look = 0; look < 3; look++)
      expect(await deploy(after).drive(run)).toMatchObject({ dues: { kind: "wait" } });
    expect(acts()).toBe(1);
    await deploy(after).resolve(run, {
      ...{ key: await keyOf(), resolution: "happened", result: {}, by },
    });
    expect((await deploy(after).drive(run)).projection).toMatchObject({ stopped: "goal-reached" });
    expect(acts()).toBe(1);
    expect(await verify()).toMatchObject({ verdict: "valid", findings: [] });
  });

  test("a retry of what is declared otherwise by now is drift", async () => {
    const { run, deploy, keyOf, verify, acts } = await openActed(before);
    await deploy(after).drive(run);
    await deploy(after).resolve(run, { key: await keyOf(), resolution: "retry", by });
    expect((await deploy(after).drive(run)).projection).toMatchObject({ stopped: "drifted" });
    expect(acts()).toBe(1);
    expect(await verify()).toMatchObject({ verdict: "valid", findings: [] });
  });

  test("the build that was there may try it again when a person says so", async () => {
    const { run, deploy, keyOf, verify, acts } = await openActed(before);
    await deploy(after).drive(run);
    await deploy(after).resolve(run, { key: await keyOf(), resolution: "retry", by });
    expect((await deploy(before).drive(run)).projection).toMatchObject({ stopped: "goal-reached" });
    expect(acts()).toBe(2);
    expect(await verify()).toMatchObject({ verdict: "valid", findings: [] });
  });
});

test("another build that declares the same goes on as ever", async () => {
  const { run, deploy, verify, acts } = await openActed({ build: "1", effect: "idempotent" });
  const { projection } = await deploy({ build: "2", effect: "idempotent" }).drive(run);
  expect(projection).toMatchObject({ stopped: "goal-reached" });
  expect(acts()).toBe(2);
  expect(await verify()).toMatchObject({ verdict: "valid", findings: [] });
});
