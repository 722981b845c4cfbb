import { memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import { FAILURES_MAX_DEFAULT, RESUMES_MAX_DEFAULT, TURNS_MAX_DEFAULT } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { RUN_INPUT_BYTES_MAX } from "../messages/start-message.ts";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import { createLocalHost } from "./local-host.ts";

const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const bounds = { awaits: ["message"] };

describe("a run that is started", () => {
  test("has every bound filled in, and every loop pinned", async () => {
    const { host, start } = createPayments();
    const run = await start();
    await host.advance(run);
    const { spec } = (await host.show(run)) ?? {};
    expect(spec?.bounds).toEqual({
      turnsMax: TURNS_MAX_DEFAULT,
      failuresMax: FAILURES_MAX_DEFAULT,
      resumesMax: RESUMES_MAX_DEFAULT,
    });
    expect(Object.keys(spec?.pinned ?? {})).toEqual(["agent 1.0.0", "pay 1.0.0"]);
  });

  test("of a conversation has no number of turns, and is bounded by its budget", async () => {
    const { host, agent } = createPayments();
    const budget = { turns: TURNS_MAX_DEFAULT + 2 };
    const run = await host.start(agent, { order: "A" }, { grant: { ...grant, budget }, bounds });
    expect((await host.drive(run)).dues).toEqual({ kind: "wait" });
    expect((await host.show(run))?.spec?.bounds).not.toHaveProperty("turnsMax");
    for (let message = 2; message <= budget.turns; message++) {
      await host.signal(run, { name: "message", payload: null, by: "ada", key: `m${message}` });
      await host.drive(run);
    }
    expect(await host.show(run)).toMatchObject({
      ...{ turns: budget.turns, stopped: "budget-exhausted" },
    });
  });

  test("is the same run under the same key, and a conflict with other input", async () => {
    const { host, agent } = createPayments();
    const start = (order: string): Promise<string> =>
      host.start(agent, { order }, { grant, key: "k" });
    expect(await start("A")).toBe(await start("A"));
    await expect(start("B")).rejects.toMatchObject({ code: "RUN_CONFLICT" });
  });

  test("is another run without a key", async () => {
    const { agent, stores } = createPayments();
    const host = createLocalHost({
      ...parts,
      loops: [pay, agent],
      stores,
      models: { clerk: scriptedModel() },
    });
    const start = (): Promise<string> => host.start(agent, { order: "A" }, { grant });
    expect(await start()).not.toBe(await start());
  });

  test("takes an input of RUN_INPUT_BYTES_MAX bytes, and no byte more", async () => {
    const { host, agent } = createPayments();
    const frame = JSON.stringify({ order: "" }).length;
    const start = (bytes: number): Promise<string> =>
      host.start(agent, { order: "x".repeat(bytes - frame) }, { grant });
    expect(await start(RUN_INPUT_BYTES_MAX)).toMatch(/^[0-9a-f-]{36}$/);
    await expect(start(RUN_INPUT_BYTES_MAX + 1)).rejects.toMatchObject({ code: "INPUT_REFUSED" });
  });
});

const parts = {
  stores: memoryStores(systemClock),
  signer: { keyId: "key", issuer: "development" as const, sign: async () => new Uint8Array(64) },
};
const pay = defineTool({
  ...{ id: "pay", version: "1.0.0" },
  input: jsonSchema<{ readonly order: string }>({ type: "object" }),
  output: jsonSchema<unknown>({ type: "object" }),
  run: () => ({}),
});

describe("a host refuses", () => {
  test("a loop that is not well formed: LOOP_REFUSED", () => {
    const broken: Loop = { definition: { ...pay.definition, version: "one" } };
    expect(() => createLocalHost({ ...parts, loops: [broken] })).toThrow(
      expect.objectContaining({
        code: "LOOP_REFUSED",
        message: expect.stringMatching(/\/version/),
      }),
    );
  });

  test("a loop that it was not given: LOOP_UNKNOWN", async () => {
    const host = createLocalHost({ ...parts, loops: [] });
    await expect(host.start(pay, { order: "A" }, { grant })).rejects.toMatchObject({
      code: "LOOP_UNKNOWN",
    });
  });

  test("a grant that says what nobody understands: GRANT_REFUSED", async () => {
    const { host, agent } = createPayments();
    const wide = { ...grant, everything: true };
    await expect(host.start(agent, { order: "A" }, { grant: wide })).rejects.toMatchObject({
      code: "GRANT_REFUSED",
    });
  });

  test("to show a run whose log was put back behind its state: RUN_STALE", async () => {
    const { stores, clock, start, host } = createPayments();
    const run = await start();
    await host.drive(run);
    const snapshot = await stores.runs.read(run);
    const older = memoryStores(clock);
    await older.log.takeEpoch(run);
    const runs = { ...older.runs, read: async () => snapshot };
    const restored = createPayments({ stores: { ...older, runs }, clock });
    await expect(restored.host.show(run)).rejects.toMatchObject({ code: "RUN_STALE" });
    expect(await restored.host.advance(run)).toEqual({ dues: { kind: "blocked", why: "stale" } });
  });
});

test("events are read from wherever somebody is", async () => {
  const { host, start } = createPayments();
  const run = await start();
  await host.drive(run);
  const types: string[] = [];
  for await (const { type } of host.events(run)) types.push(type);
  expect([types[0], types.at(-1)]).toEqual(["run.started", "run.stopped"]);
  const rest: number[] = [];
  for await (const { sequence } of host.events(run, types.length - 1)) rest.push(sequence);
  expect(rest).toEqual([types.length - 1, types.length]);
});
