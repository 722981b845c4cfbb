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
  cellOf,
  type Grant,
  isClaimOf,
  type JsonObject,
  type JsonValue,
  type Policy,
} from "@turnseal/protocol";
import { defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { type TreeVerdict, verifyTree } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { ada, policyOf, signer, signingKey } from "../__fixtures__/refund-desk.ts";

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
  return events.find((event) => isClaimOf("handoff", event))?.content.child ?? "";
}

/** A host that changes what it was to deliver. */
function lyingStores(
  stores: Stores,
  change: Partial<Record<"start" | "result", (body: JsonObject) => JsonObject>>,
): Stores {
  const { inbox } = stores;
  const lie = (kind: string) => (kind === "start" || kind === "result" ? change[kind] : undefined);
  const put: Stores["inbox"]["put"] = (message) =>
    inbox.put({ ...message, body: lie(message.kind)?.(message.body) ?? message.body });
  return { ...stores, inbox: { ...inbox, put } };
}

function widen(fields: JsonObject) {
  return (spec: JsonObject): JsonObject => ({
    ...spec,
    grant: { ...(spec["grant"] as JsonObject), ...fields },
  });
}

function listFound({ runs, set }: TreeVerdict): string[] {
  return [...runs.flatMap(({ findings }) => findings), ...set.findings].map(({ code }) => code);
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
    // In the cell of the run, for any rest of its id.
    expect(cellOf(child)).toBe(cellOf(run));
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
    const errored = (await stores.log.read(run, 1)).find((event) => event.type === "call.errored");
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
    const claim = (await stores.log.read(run, 1)).find((event) => event.type === "action.claimed");
    expect(claim?.content.reserve).toMatchObject({ handoffs: 3 });
    expect((await host.show(run))?.spending.settled).toMatchObject({ handoffs: 1 });
  });

  test("that fails is a failure of the call, with what it spent", async () => {
    const { host, start } = openOffice({
      act: () => {
        throw notDone("no money");
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

  test.each<[string, JsonObject, string]>([
    ["cancelled", { loop: "worker", grant: slice }, "cancelled"],
    [
      "too late",
      { loop: "worker", grant: slice, bounds: { deadlineAt: "2020-01-01T00:00:00.000Z" } },
      "deadline-passed",
    ],
    [
      "given no turn",
      { loop: "worker", grant: { ...slice, budget: { ...slice.budget, turns: 0 } } },
      "denied",
    ],
  ])("that is %s before its first turn says so in a receipt", async (_, config, stopped) => {
    const { host, stores, paid, start } = openOffice({ config });
    const run = await start();
    await host.advance(run);
    const child = await childOf(stores, run);
    if (stopped === "cancelled") {
      await host.cancel(run, { key: "stop", by: "ada" });
      await host.advance(run);
    }
    await host.drive(run);
    expect(paid).toEqual([]);
    expect(await stopOf(host, child)).toBe(stopped);
    const [parent, below] = [await readAll(stores, run), await readAll(stores, child)];
    expect(below.receipts).toHaveLength(1);
    for await (const { replayed } of host.replay(child))
      expect(replayed).toEqual({ kind: "identical" });
    const verdict = await verifyTree([parent, below], { keys: [signingKey] });
    expect({ verdict: verdict.verdict, found: listFound(verdict) }).toEqual({
      verdict: "valid",
      found: [],
    });
  });

  test.each<[string, (body: JsonObject) => JsonObject, string]>([
    ["no receipt", ({ receipt: _, ...body }) => body, "HANDOFF_UNSEALED"],
    ["less spending than its receipt", (body) => ({ ...body, spent: {} }), "BUDGET_ARITHMETIC"],
    ["no spending that can be read", ({ spent: _, ...body }) => body, "BUDGET_ARITHMETIC"],
  ])("whose result is told with %s is found out", async (_, change, code) => {
    const clock = manualClock();
    const stores = lyingStores(memoryStores(clock), { result: change });
    const { host, start } = openOffice({ clock, stores });
    const run = await start();
    await host.drive(run);
    const child = await childOf(stores, run);
    const verdict = await verifyTree([await readAll(stores, run), await readAll(stores, child)], {
      keys: [signingKey],
    });
    expect(verdict.verdict).toBe("invalid");
    expect(listFound(verdict)).toContain(code);
  });

  test("without a receipt costs all that was reserved, and gives nothing", async () => {
    const clock = manualClock();
    const change = ({ receipt: _, ...body }: JsonObject): JsonObject => body;
    const stores = lyingStores(memoryStores(clock), { result: change });
    const { host, start } = openOffice({ clock, stores });
    const run = await start();
    await host.drive(run);
    expect(await stopOf(host, run)).toBe("failed");
    expect((await host.show(run))?.spending.settled).toEqual({
      ...{ turns: 3, toolCalls: 4, effects: 2, handoffs: 1 },
    });
  });

  test.each<[string, (spec: JsonObject) => JsonObject, string]>([
    ["with a tool more", widen({ tools: ["local.pay", "local.fly"] }), "GRANT_WIDENED"],
    ["with every scope", widen({ scopes: ["*"] }), "GRANT_WIDENED"],
    ["without a cap", widen({ budget: {} }), "GRANT_WIDENED"],
    ["with another level", widen({ depth: 3 }), "GRANT_WIDENED"],
    ["without the rules", ({ policy: _, ...spec }) => spec, "CHILD_MISMATCH"],
  ])("that a host starts %s is found out", async (_, change, code) => {
    const clock = manualClock();
    const start = (body: JsonObject): JsonObject => {
      const spec = body["spec"] as JsonObject;
      return "parent" in spec ? { ...body, spec: change(spec) } : body;
    };
    const stores = lyingStores(memoryStores(clock), { start });
    const policy = policyOf({ id: "rest", decision: "allow" });
    const office = openOffice({ clock, stores, policy });
    const run = await office.start();
    await office.host.drive(run);
    const child = await readAll(stores, await childOf(stores, run));
    const verdict = await verifyTree([await readAll(stores, run), child], { keys: [signingKey] });
    expect(verdict.verdict).toBe("invalid");
    expect(listFound(verdict)).toContain(code);
  });

  test("that is left out of its tree is found out", async () => {
    const { host, stores, start } = openOffice();
    const run = await start();
    await host.drive(run);
    const verdict = await verifyTree([await readAll(stores, run)], { keys: [signingKey] });
    expect(verdict.verdict).toBe("invalid");
    expect(listFound(verdict)).toEqual(["SET_MISSING", "CHILD_MISSING"]);
  });

  test("that goes on while its parent's turn is open is no orphan", async () => {
    const config = { loop: "worker", grant: slice, bounds: { awaits: ["more"], turnsMax: 2 } };
    const { host, stores, start } = openOffice({ config });
    const run = await start();
    await host.drive(run);
    const child = await readAll(stores, await childOf(stores, run));
    expect(child.receipts).toHaveLength(1);
    const verdict = await verifyTree([await readAll(stores, run), child], { keys: [signingKey] });
    expect(listFound(verdict)).toEqual(["RUN_UNSEALED"]);
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
      (event) => event.type === "action.settled",
    );
    expect(settled).toHaveLength(1);
  });
});
