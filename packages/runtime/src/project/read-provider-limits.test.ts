import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  PROVIDER_COUNT_MAX,
  PROVIDER_LIMITS_MAX,
  readProviderLimits,
} from "./read-provider-limits.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-limits-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const any = jsonSchema<object>(true);
const ask = definePrompt({
  ...{ id: "ask", version: "1.0.0", input: any, output: any, template: "Say it" },
  policy: { routes: [{ id: "one" }, { id: "two", model: "small" }] },
});
const asked = { loops: [ask], models: { one: scriptedModel(), two: scriptedModel() } };

function read(written: unknown, redis = "redis://127.0.0.1:6379") {
  const providerLimits = join(folder, "limits.json");
  writeFileSync(providerLimits, typeof written === "string" ? written : JSON.stringify(written));
  return readProviderLimits({ providerLimits, ...(redis === "" ? {} : { redis }) }, asked);
}

test("a model is held to its own limit and then to that of its provider", async () => {
  const limits = { one: { perMinute: 9, inFlight: 2 }, "one/scripted": { perMinute: 3 } };
  const found = await read({ limits });
  if (found.kind !== "read") throw new Error(found.message);
  const whole = { name: "provider:one", perMinute: 9, inFlight: 2 };
  expect(found.listFor("one", "scripted")).toEqual([
    { name: "provider:one/scripted", perMinute: 3 },
    whole,
  ]);
  expect(found.listFor("one", "another")).toEqual([whole]);
  expect(found.listFor("two", "small")).toEqual([]);
  expect(found.listFor("constructor", "one")).toEqual([]);
  expect(found.unused).toEqual([]);
});

test("what no prompt asks is named: it limits nothing", async () => {
  const limit = { inFlight: 1 };
  const limits = { "two/small": limit, "two/smal": limit, tow: limit, "one/scripted": limit };
  expect(await read({ limits })).toMatchObject({ kind: "read", unused: ["two/smal", "tow"] });
});

test("without a file nothing is limited, and no server is needed", async () => {
  const found = await readProviderLimits({}, asked);
  expect(found).toMatchObject({ kind: "read", unused: [] });
  expect(found.kind === "read" && found.listFor("one", "scripted")).toEqual([]);
});

test("without a server there is nobody who counts for all, and it is refused", async () => {
  const found = await read({ limits: { one: { inFlight: 1 } } }, "");
  expect(found).toMatchObject({ kind: "unusable", next: expect.stringContaining("--redis") });
});

const many = (count: number) => ({
  limits: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { inFlight: 1 }])),
});

test("PROVIDER_LIMITS_MAX limits of PROVIDER_COUNT_MAX are taken", async () => {
  expect((await read(many(PROVIDER_LIMITS_MAX))).kind).toBe("read");
  expect((await read({ limits: { one: { perMinute: PROVIDER_COUNT_MAX } } })).kind).toBe("read");
});

test.each<[string, unknown, string]>([
  ["text", "no", "is not JSON"],
  ["a list", [], "is not a list of limits"],
  ["another field", { limits: { one: { inFlight: 1 } }, more: 1 }, "is not a list of limits"],
  ["no limit", { limits: {} }, "has 0 limits"],
  ["too many", many(PROVIDER_LIMITS_MAX + 1), `has ${PROVIDER_LIMITS_MAX + 1} limits`],
  ["a limit of nothing", { limits: { one: {} } }, 'the limit of "one" is not one'],
  ["none at once", { limits: { one: { inFlight: 0 } } }, 'the limit of "one" is not one'],
  ["a part of one", { limits: { one: { perMinute: 1.5 } } }, 'the limit of "one" is not one'],
  ["a text", { limits: { one: { perMinute: "9" } } }, 'the limit of "one" is not one'],
  ["a slip", { limits: { one: { perminute: 9 } } }, 'the limit of "one" is not one'],
  ["too much", { limits: { one: { perMinute: PROVIDER_COUNT_MAX + 1 } } }, '"one" is not one'],
  ["no name", { limits: { "": { inFlight: 1 } } }, 'the limit of "" is not one'],
])("a file with %s is refused", async (_, written, message) => {
  expect(await read(written)).toEqual({
    kind: "unusable",
    message: expect.stringContaining(message),
    next: expect.stringContaining('"perMinute"'),
  });
});

test("a file that is not there is refused", async () => {
  const redis = "redis://127.0.0.1:6379";
  const found = await readProviderLimits({ providerLimits: join(folder, "none"), redis }, asked);
  expect(found).toMatchObject({ kind: "unusable", message: expect.stringContaining("none") });
});
