import type { JsonObject } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { CACHE_TTL_MS_MAX } from "../limits.ts";
import { checkLoop } from "./check-loop.ts";

const prompt = { template: "{{word}}", variables: ["word"] };
const tool = { implementation: "local.look" };
const step = { loopId: "look", inputMapping: {} };
const cache = { strategy: "ephemeral" };

/** The problems of a loop, as `rule path`. */
function check(fields: JsonObject): string[] {
  const document = {
    ...{ id: "loop", name: "loop", version: "1.0.0", inputSchema: true, outputSchema: true },
    ...fields,
  };
  const checked = checkLoop(document, "strict");
  return checked.kind === "refused"
    ? checked.problems.map(({ rule, path }) => `${rule} ${path}`)
    : [];
}

test.each<readonly [string, JsonObject]>([
  ["a prompt", { kind: "prompt", prompt }],
  [
    "a prompt that says that it has no thread",
    { kind: "prompt", prompt: { ...prompt, thread: false } },
  ],
  ["a tool", { kind: "tool", tool }],
])("%s may have a cache", (_, fields) => {
  expect(check({ ...fields, policy: { cache } })).toEqual([]);
  expect(check({ ...fields, policy: { cache: { strategy: "none" } } })).toEqual([]);
});

test.each<readonly [string, JsonObject]>([
  ["a composite", { kind: "composite", composite: { steps: [step] } }],
  ["a prompt with a thread", { kind: "prompt", prompt: { ...prompt, thread: true } }],
  ["a prompt with a name", { kind: "prompt", prompt: { ...prompt, thread: "notes" } }],
  [
    "a prompt with context",
    { kind: "prompt", prompt: { ...prompt, context: { strategy: "flat" } } },
  ],
  ["a prompt that looks at notes", { kind: "prompt", prompt: { ...prompt, scope: "shared" } }],
  [
    "a prompt that begins with notes",
    { kind: "prompt", prompt: { ...prompt, notes: [{ key: "note", text: "x" }] } },
  ],
  ["what writes notes", { kind: "tool", tool: { implementation: "turnseal.note" } }],
  ["a question", { kind: "tool", tool: { implementation: "turnseal.question" } }],
  ["a handoff", { kind: "tool", tool: { implementation: "turnseal.handoff", config: {} } }],
  ["what reads outputs", { kind: "tool", tool: { implementation: "turnseal.output" } }],
])("%s has none: cache-unfit", (_, fields) => {
  expect(check({ ...fields, policy: { cache } })).toContain("cache-unfit /policy/cache");
  expect(check({ ...fields, policy: { cache: { strategy: "none" } } })).not.toContain(
    "cache-unfit /policy/cache",
  );
});

test("ttlMs is at most CACHE_TTL_MS_MAX, and the strategy one of three", () => {
  const of = (fields: JsonObject) => check({ kind: "tool", tool, policy: { cache: fields } });
  expect(of({ ...cache, ttlMs: CACHE_TTL_MS_MAX })).toEqual([]);
  expect(of({ ...cache, ttlMs: CACHE_TTL_MS_MAX + 1 })).toEqual(["field-type /policy/cache/ttlMs"]);
  expect(of({ ...cache, ttlMs: 0 })).toEqual(["field-type /policy/cache/ttlMs"]);
  expect(of({ strategy: "forever" })).toEqual(["field-type /policy/cache/strategy"]);
  expect(of({})).toEqual(["field-missing /policy/cache"]);
  expect(of({ ...cache, size: 1 })).toEqual(["field-unknown /policy/cache/size"]);
});
