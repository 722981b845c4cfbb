// A run hands to a loop that the worker which carries it does not have.
import { manualClock, memoryStores, type Stores, seededIds } from "@turnseal/ports";
import { canonicalize, isClaimOf, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { bindHost } from "../../bind-host.ts";
import type { Blocked } from "../../decide/advanced.ts";
import { BLOCKED_PAUSE_MS } from "../../decide/look-at.ts";
import { createLocalHost } from "../../local/local-host.ts";
import { stepRun } from "../../restate/step-run.ts";
import { signer, signingKey } from "../__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);
const budget = { effects: 2, toolCalls: 4, turns: 2, handoffs: 0 };
const slice = { tools: ["turnseal.question", "local.pay"], budget };
const grant = {
  ...{ grantor: "ada", tools: slice.tools, handoffs: ["worker"] },
  budget: { effects: 5, toolCalls: 20, turns: 20, handoffs: 5 },
};

const tool = (id: string, implementation: string, config: JsonObject = {}) =>
  defineTool({
    ...{ id, version: "1.0.0", implementation, config, build: "test" },
    ...{ input: anything, output: anything },
    run: () => ({ done: true }),
  });

function openOffice(version?: string) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const named = version === undefined ? {} : { version };
  const worker = tool("worker", "local.pay");
  const delegate = tool("delegate", "turnseal.handoff", { loop: "worker", grant: slice, ...named });
  const bind = (loops: readonly Loop<never, unknown>[]) => {
    const options = { loops, stores, signer, clock, ids: seededIds("office") };
    return { host: createLocalHost(options), ports: bindHost(options) };
  };
  const [bare, full] = [bind([delegate]), bind([delegate, worker])];
  const start = () => bare.host.start(delegate, {}, { key: "run", grant });
  return { clock, stores, bare, full, start };
}

async function countOf(stores: Stores, run: string, type: string): Promise<number> {
  return (await stores.log.read(run, 1)).filter((event) => event.type === type).length;
}

describe("a worker without the loop that is handed to", () => {
  test("leaves the run blocked, with its cause, and says so once", async () => {
    const { stores, bare, start } = openOffice();
    const run = await start();
    for (let look = 0; look < 30; look++)
      expect((await bare.host.drive(run)).dues).toMatchObject({
        ...{ kind: "blocked", why: "loop-missing", what: "worker" },
      });
    expect(await bare.host.show(run)).toMatchObject({
      ...{ stopped: null, blocked: { cause: "loop-missing", what: "worker" } },
    });
    expect(await countOf(stores, run, "run.blocked")).toBe(1);
    expect(await countOf(stores, run, "turn.resumed")).toBe(0);
  });

  test("names the version that is asked for", async () => {
    const { bare, full, start } = openOffice("2.0.0");
    const run = await start();
    for (const { host } of [bare, full])
      expect((await host.drive(run)).dues).toMatchObject({ what: "worker 2.0.0" });
  });

  test("has the engine look again, ever later, and is heard of each time", async () => {
    const { clock, bare, start } = openOffice();
    const run = await start();
    const told: Blocked[] = [];
    const look = () => stepRun(run, bare.ports, { onBlocked: (_, blocked) => told.push(blocked) });
    const first = await look();
    expect(first).toMatchObject({ continues: false, wakeAtMs: first.nowMs + BLOCKED_PAUSE_MS });
    clock.advance(60_000);
    const second = await look();
    expect(second).toMatchObject({ continues: false, wakeAtMs: second.nowMs + 60_000 });
    expect(told).toMatchObject([{ what: "worker" }, { what: "worker" }]);
  });

  test("is followed by one that has it, and the run reaches its goal", async () => {
    const { stores, bare, full, start } = openOffice();
    const run = await start();
    await bare.host.drive(run);
    expect(await full.host.drive(run)).toMatchObject({
      projection: { stopped: "goal-reached", blocked: null },
    });
    expect(await countOf(stores, run, "run.blocked")).toBe(1);
  });

  test("does not block a run whose other one has been started", async () => {
    const { stores, bare, full, start } = openOffice();
    const run = await start();
    await bare.host.drive(run);
    const { others } = await stepRun(run, full.ports, {});
    expect(await full.host.show(run)).toMatchObject({ stopped: null, blocked: null });
    for (let look = 0; look < 3; look++)
      expect((await bare.host.advance(run)).dues.kind).toBe("wait");
    const [child = ""] = others;
    // Begun, it is its own affair: the loop is missing to that run, and it says so itself.
    expect((await bare.host.advance(child)).dues).toMatchObject({ what: "worker 1.0.0" });
    expect((await bare.host.advance(run)).dues.kind).toBe("wait");
    expect(await countOf(stores, run, "run.blocked")).toBe(1);
  });

  test("ends its cancelled run by a decision and an empty, sealed turn", async () => {
    const { stores, bare, full, start } = openOffice();
    const { others } = await stepRun(await start(), full.ports, {});
    const [child = ""] = others;
    await bare.host.cancel(child, { by: "bob", key: "stop" });
    expect((await bare.host.drive(child)).dues.kind).toBe("done");
    const types = (await stores.log.read(child, 1)).map(({ type }) => type);
    expect(types.slice(types.indexOf("run.decided"))).toEqual([
      ...["run.decided", "turn.started", "turn.closed", "run.decided", "run.stopped"],
    ]);
    expect(await stores.receipts.list(child, 1)).toHaveLength(1);
  });

  test.each(["local", "engine"])("a cancel ends the run, sealed (%s)", async (kind) => {
    const { stores, bare, full, start } = openOffice();
    const run = await start();
    await bare.host.drive(run);
    await bare.host.cancel(run, { by: "bob", key: "stop" });
    if (kind === "local") await bare.host.drive(run);
    else expect(await stepRun(run, bare.ports, {})).toMatchObject({ continues: false, others: [] });
    expect(await bare.host.show(run)).toMatchObject({
      ...{ stopped: "cancelled", blocked: null },
      lastTurn: { outcome: "cancelled", reason: "withdrawn" },
    });
    const events = await stores.log.read(run, 1);
    const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
      canonicalize(envelope),
    );
    const verdict = await verifyTree([{ run, events, receipts }], { keys: [signingKey] });
    expect(verdict.runs.flatMap(({ findings }) => findings)).toEqual([]);
    // For a verifier, a run that never started looks the same as a hidden one.
    expect(verdict.set.findings.map(({ code }) => code)).toEqual(["CHILD_MISSING"]);
    // A run that never started is not started later.
    expect(await full.host.drive(run)).toMatchObject({ dues: { kind: "done" } });
    const child = events.find((event) => isClaimOf("handoff", event))?.content.child ?? "";
    expect(await stores.inbox.has(child)).toBe(false);
    expect(await stores.log.read(child, 1)).toEqual([]);
  });
});
