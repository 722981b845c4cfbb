import { createRegistry } from "@turnseal/kernel";
import { memoryStores, systemClock } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { runOfKey } from "../run-ids.ts";
import { createRunClient } from "./run-client.ts";
import { createRunDriver } from "./run-driver.ts";

const greet = defineTool({
  id: "greet",
  version: "1.0.0",
  description: "Greets",
  input: jsonSchema<{ name: string }>({ type: "object" }),
  output: jsonSchema<string>({ type: "string" }),
  effect: "read",
  run: ({ name }) => `hello ${name}`,
});
const signer = {
  keyId: "key",
  issuer: "development",
  sign: async () => new Uint8Array(64),
} as const;
const grant = { grantor: "ada", tools: ["local.greet"], budget: {} };

test("a client without a key starts and reads what a driver elsewhere carries", async () => {
  const stores = memoryStores(systemClock);
  const client = createRunClient({ loops: [greet], stores });
  const run = await client.start(greet, { name: "ada" }, { grant });
  expect(await client.readOutput(greet, run)).toBeUndefined();
  await createRunDriver({ loops: [greet], stores, signer }).drive(run);
  expect(await client.readOutput(greet, run)).toBe("hello ada");
  expect(client).not.toHaveProperty("advance");
  expect(client).not.toHaveProperty("drive");
});

test("a client and a driver each refuse what they were given wrongly", async () => {
  const stores = memoryStores(systemClock);
  const broken = { ...greet, definition: { ...greet.definition, version: "one" } };
  expect(() => createRunClient({ loops: [broken], stores })).toThrow("is refused");
  expect(() => createRunDriver({ loops: [broken], stores, signer })).toThrow("is refused");
});

test("loops that were registered before are not registered again", async () => {
  const stores = memoryStores(systemClock);
  const registry = createRegistry();
  registry.register(greet.definition);
  const client = createRunClient({ loops: [greet], registry, stores });
  expect(client.registry).toBe(registry);
  const run = await client.start(greet, { name: "ada" }, { grant });
  const empty = createRunClient({ loops: [greet], registry: createRegistry(), stores });
  await expect(empty.start(greet, { name: "ada" }, { grant })).rejects.toMatchObject({
    code: "LOOP_UNKNOWN",
  });
  expect(run).toMatch(/^[0-9a-f-]{36}$/);
});

test("in a cell every run that is started has its digits, by a key or without", async () => {
  const stores = memoryStores(systemClock);
  const client = createRunClient({ loops: [greet], stores, cell: "00a" });
  const start = (key?: string) =>
    client.start(greet, { name: "ada" }, { grant, ...(key === undefined ? {} : { key }) });
  expect(await start()).toMatch(/^00a/);
  expect(await start("one")).toBe(runOfKey("one", "00a"));
  expect(await start("one")).toBe(runOfKey("one", "00a"));
  expect(runOfKey("one", "00a").slice(3)).toBe(runOfKey("one").slice(3));
  expect(() => createRunClient({ loops: [greet], stores, cell: "A" })).toThrow(
    expect.objectContaining({ code: "CELL_REFUSED" }),
  );
});
