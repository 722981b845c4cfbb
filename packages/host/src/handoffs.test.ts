// Handoffs from the claim to the receipts of both runs, through a real host.
import {
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import {
  canonicalize,
  defineTool,
  type Grant,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Policy,
} from "@turnseal/protocol";
import { verifyTree } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { ada, policyOf, signer, signingKey } from "./__fixtures__/refund-desk.ts";
import { createLocalHost, type LocalHost } from "./local/local-host.ts";

const anything = jsonSchema<JsonValue>(true);

const grant: Grant = {
  grantor: "ada",
  tools: ["local.pay"],
  handoffs: ["worker", "middle", "leaf"],
  budget: { effects: 5, toolCalls: 20, turns: 20, handoffs: 5 },
};

const slice = { tools: ["local.pay"], budget: { effects: 2, toolCalls: 4, turns: 2, handoffs: 0 } };

interface Setting {
  readonly config?: JsonObject;
  readonly clock?: ManualClock;
  readonly stores?: Stores;
  readonly act?: () => JsonValue;
  readonly grant?: Partial<Grant>;
  readonly policy?: Policy;
}

interface Office {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly paid: JsonValue[];
  start(): Promise<string>;
}

function openOffice(setting: Setting = {}): Office {
  const { clock = manualClock(), config = { loop: "worker", grant: slice } } = setting;
  const stores = setting.stores ?? memoryStores(clock);
  const paid: JsonValue[] = [];
  const worker = defineTool({
    ...{ id: "worker", version: "1.0.0", implementation: "local.pay" },
    ...{ effect: "idempotent", build: "test" },
    input: anything,
    output: anything,
    run: (input) => {
      paid.push(input);
      return setting.act?.() ?? { paid: true };
    },
  });
  const delegate = defineTool({
    ...{ id: "delegate", version: "1.0.0", implementation: "turnseal.handoff", config },
    input: anything,
    output: anything,
    run: () => null,
  });
  const host = createLocalHost({
    ...{ loops: [worker, delegate], stores, signer, clock, ids: seededIds("office") },
  });
  return {
    host,
    stores,
    paid,
    start: () =>
      host.start(delegate, { order: "A-1" } as JsonValue, {
        key: "run",
        grant: { ...grant, ...setting.grant },
        ...(setting.policy === undefined ? {} : { policy: setting.policy }),
      }),
  };
}

async function readAll(stores: Stores, run: string) {
  const events = await stores.log.read(run, 1);
  const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  return { run, events, receipts };
}

async function childOf(stores: Stores, run: string): Promise<string> {
  const events = await stores.log.read(run, 1);
  return String(events.find(({ content }) => "child" in content)?.content["child"]);
}

async function stopOf(host: LocalHost, run: string): Promise<string | null | undefined> {
  return (await host.show(run))?.stopped;
}

describe("a handoff", () => {
  test("runs another loop under a slice, and answers with what it gave", async () => {
    const { host, stores, paid, start } = openOffice();
    const run = await start();
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("goal-reached");
    expect(paid).toEqual([{ order: "A-1" }]);
    const child = await childOf(stores, run);
    expect(await stopOf(host, child)).toBe("goal-reached");
    const projection = await host.show(run);
    expect(projection?.spending).toEqual({
      settled: { turns: 2, toolCalls: 1, effects: 1, handoffs: 1 },
      assumed: {},
      open: {},
    });
    expect((await host.show(child))?.spec?.grant).toEqual({ ...slice, grantor: "ada", depth: 2 });
    const verdict = await verifyTree([await readAll(stores, run), await readAll(stores, child)], {
      keys: [signingKey],
    });
    expect({
      runs: verdict.runs.flatMap(({ findings }) => findings),
      set: verdict.set.findings,
    }).toEqual({
      runs: [],
      set: [],
    });
    for (const each of [run, child])
      for await (const { replayed } of host.replay(each))
        expect(replayed).toEqual({ kind: "identical" });
  });

  test.each<[string, JsonObject, Partial<Grant>, string]>([
    ["to a loop that is not granted", { loop: "other", grant: slice }, {}, "handoff-not-granted"],
    [
      "with a tool more",
      { loop: "worker", grant: { ...slice, tools: ["local.fly"] } },
      {},
      "grant-widened",
    ],
    [
      "with a larger budget",
      { loop: "worker", grant: { ...slice, budget: { ...slice.budget, effects: 6 } } },
      {},
      "grant-widened",
    ],
    [
      "with no bound under a bound",
      { loop: "worker", grant: { ...slice, budget: {} } },
      {},
      "grant-widened",
    ],
    ["deeper than may be", { loop: "worker", grant: slice }, { depth: 0 }, "depth-passed"],
    [
      "asking for depth",
      { loop: "worker", grant: { ...slice, depth: 3 } },
      { depth: 3 },
      "depth-passed",
    ],
  ])("%s is denied, and no run is started", async (_, config, fields, denial) => {
    const { host, stores, paid, start } = openOffice({ config, grant: fields });
    const run = await start();
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("denied");
    const errored = (await stores.log.read(run, 1)).find(({ type }) => type === "call.errored");
    expect(errored?.content).toMatchObject({ code: "POLICY_DENIED", details: { denial } });
    expect(paid).toEqual([]);
  });

  test("reserves its whole slice before anything happens", async () => {
    const { host, stores, paid, start } = openOffice({
      grant: { budget: { ...grant.budget, effects: 1 } },
    });
    const run = await start();
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("denied");
    expect(paid).toEqual([]);
    const tight = openOffice({ grant: { budget: { ...grant.budget, turns: 2 } } });
    const second = await tight.start();
    await tight.host.drive(second);
    expect(await stopOf(tight.host, second)).toBe("budget-exhausted");
    expect(tight.paid).toEqual([]);
    expect(await stores.log.read(run, 1)).not.toEqual([]);
  });

  test("reserves also the handoffs that its slice may make, beside itself", async () => {
    const deep = { ...slice, handoffs: ["worker"], budget: { ...slice.budget, handoffs: 2 } };
    const { host, stores, start } = openOffice({ config: { loop: "worker", grant: deep } });
    const run = await start();
    await host.drive(run);
    const claim = (await stores.log.read(run, 1)).find(({ type }) => type === "action.claimed");
    expect(claim?.content["reserve"]).toMatchObject({ handoffs: 3 });
    expect((await host.show(run))?.spending.settled).toMatchObject({ handoffs: 1 });
  });

  test("that fails is a failure of the call, with what it spent", async () => {
    const { host, start } = openOffice({
      act: () => {
        throw new Error("no money");
      },
    });
    const run = await start();
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("failed");
    expect((await host.show(run))?.lastTurn).toMatchObject({
      outcome: "failed",
      reason: "CHILD_FAILED",
    });
  });

  test("is cancelled with the run that started it", async () => {
    const policy = policyOf(
      { id: "ask", decision: "ask", tools: ["local.pay"] },
      { id: "rest", decision: "allow" },
    );
    const { host, stores, paid, start } = openOffice({ policy });
    const run = await start();
    const advanced = await host.drive(run);
    expect(advanced.dues.kind).toBe("wait");
    await host.cancel(run, { key: "stop", by: "ada" });
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("cancelled");
    expect(await stopOf(host, await childOf(stores, run))).toBe("cancelled");
    expect(paid).toEqual([]);
  });

  test("parks on an approval below, and goes on when that is decided", async () => {
    const policy = policyOf(
      { id: "ask", decision: "ask", tools: ["local.pay"] },
      { id: "rest", decision: "allow" },
    );
    const { host, stores, paid, start } = openOffice({ policy });
    const run = await start();
    await host.drive(run);
    const child = await childOf(stores, run);
    const [request] = await host.requests(child);
    expect(await host.decide(child, request?.id ?? "", { choice: "approve", by: ada })).toEqual({
      kind: "stored",
    });
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("goal-reached");
    expect(paid).toHaveLength(1);
  });

  test("delivered again and again starts one run, and its result counts once", async () => {
    const first = openOffice();
    const run = await first.start();
    await first.host.advance(run);
    await first.host.advance(run);
    const child = await childOf(first.stores, run);
    for (let times = 0; times < 3; times++) await first.host.advance(child);
    expect(first.paid).toHaveLength(1);
    await first.host.advance(run);
    await first.host.advance(child);
    await first.host.advance(run);
    expect(await stopOf(first.host, run)).toBe("goal-reached");
    const settled = (await first.stores.log.read(run, 1)).filter(
      ({ type }) => type === "action.settled",
    );
    expect(settled).toHaveLength(1);
  });
});
