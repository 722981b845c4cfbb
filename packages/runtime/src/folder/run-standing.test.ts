import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, describe, expect, test } from "vitest";
import { readRunStanding } from "./run-standing.ts";
import type { StoreFolder } from "./store-folder.ts";

const path = mkdtempSync(join(tmpdir(), "turnseal-state-"));
afterAll(() => rmSync(path, { recursive: true }));

const by = { id: "ada", roles: [] };

/** A run that waits for two payments to be approved, in a folder or under an engine. */
async function park(place: Pick<StoreFolder, "engine">) {
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent" },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    run: () => null,
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [pay], template: "Go" },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
  });
  const call = (cents: number) => ({ tool: "local__pay", input: { cents } });
  const stores = memoryStores(systemClock);
  const host = createLocalHost({
    ...{ loops: [pay, desk], stores, signer: await createMemorySigner() },
    models: { scripted: scriptedModel([{ toolCalls: [call(1), call(2)] }, "done"]) },
  });
  const run = await host.start(
    desk,
    {},
    {
      grant: { grantor: "ada", tools: ["local.pay"], budget: {} },
      policy: { name: "all", rules: [{ id: "ask", decision: "ask" }] },
    },
  );
  await host.advance(run);
  const requests = await host.requests(run);
  // Only what a state is read from.
  const folder = { path, stores, ...place } as unknown as StoreFolder;
  return {
    approve: (index: number) =>
      host.decide(run, requests[index]?.id ?? "", { choice: "approve", by }),
    read: async () => readRunStanding(folder, { run, projection: await host.show(run) }),
  };
}

describe.each([
  ["in a folder", undefined],
  ["under an engine", {} as NonNullable<StoreFolder["engine"]>],
])("a run that waits %s", (_, engine) => {
  const place = engine === undefined ? {} : { engine };

  test("waits for what nobody has answered yet", async () => {
    const { approve, read } = await park(place);
    expect(await read()).toMatchObject({ kind: "waiting", answered: new Set() });
    await approve(0);
    const state = await read();
    expect(state).toMatchObject({ kind: "waiting", asked: [{}, {}] });
    expect(state.kind === "waiting" && state.answered.size).toBe(1);
  });
});

test("when all is answered a folder waits to be resumed, and an engine is on its way", async () => {
  for (const [engine, kind] of [
    [undefined, "waiting"],
    [{} as NonNullable<StoreFolder["engine"]>, "moving"],
  ] as const) {
    const { approve, read } = await park(engine === undefined ? {} : { engine });
    await approve(0);
    await approve(1);
    const state = await read();
    expect(state.kind).toBe(kind);
    if (state.kind === "waiting") expect(state.answered.size).toBe(2);
  }
});

test("a run that has not read its awaited signal is to be resumed, or moves", async () => {
  const echo = defineTool({
    ...{ id: "echo", version: "1.0.0", effect: "read" },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    run: () => null,
  });
  const stores = memoryStores(systemClock);
  const host = createLocalHost({ loops: [echo], stores, signer: await createMemorySigner() });
  const run = await host.start(
    echo,
    {},
    {
      grant: { grantor: "ada", tools: ["local.echo"], budget: {} },
      bounds: { awaits: ["mail"], turnsMax: 3 },
    },
  );
  await host.advance(run);
  const read = async (place: Pick<StoreFolder, "engine">) => {
    const folder = { path, stores, ...place } as unknown as StoreFolder;
    return (await readRunStanding(folder, { run, projection: await host.show(run) })).kind;
  };
  const engine = {} as NonNullable<StoreFolder["engine"]>;
  expect([await read({}), await read({ engine })]).toEqual(["waiting", "waiting"]);
  await host.signal(run, { name: "other", payload: null, key: "1", by: "ada" });
  expect([await read({}), await read({ engine })]).toEqual(["waiting", "waiting"]);
  await host.signal(run, { name: "mail", payload: null, key: "2", by: "ada" });
  expect([await read({}), await read({ engine })]).toEqual(["interrupted", "moving"]);
});
