import { createRuntime } from "turnseal";
import { beforeEach, expect, test } from "vitest";
import { fixCode, models } from "./loops.ts";
import { told } from "./mender.ts";

const runtime = createRuntime({ loops: [fixCode], models });
beforeEach(() => {
  told.length = 0;
});

test("each round is told what the round before left broken, until the tests pass", async () => {
  const source = "function slug(title) { return title; }";
  const result = await runtime.call(fixCode, { source });
  expect(result).toMatchObject({ status: "ok", output: { passed: true, failure: "" } });
  expect(told).toEqual([
    'slug("Hello World") gives "Hello World", not "hello-world"',
    'slug("  Two  spaces ") gives "-two-spaces-", not "two-spaces"',
    'slug("Ünder") gives "ünder", not "under"',
  ]);
});

test("it gives up after four rounds, and says so", async () => {
  const source = "function slug(title) { return title; } /* stubborn */";
  const result = await runtime.call(fixCode, { source });
  expect(result).toMatchObject({ status: "ok", output: { passed: false, source } });
  expect(told).toHaveLength(4);
});

test("nothing is asked of a source that passes", async () => {
  const source = `function slug(title) {
    const plain = title.trim().normalize("NFD").replace(/\\p{M}/gu, "");
    return plain.toLowerCase().replace(/\\s+/g, "-");
  }`;
  expect(await runtime.call(fixCode, { source })).toMatchObject({ output: { passed: true } });
  expect(told).toEqual([]);
});
