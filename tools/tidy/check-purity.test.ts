import { expect, test } from "vitest";
import { checkPurity } from "./check-purity.ts";

function usesIn(text: string, path = "packages/kernel/src/call/x.ts"): string[] {
  return checkPurity(new Map([[path, text]]));
}

test.each([
  "const at = Date.now();",
  "const at = new Date();",
  "const at = new Date;",
  "const at = Date(5);",
  "const chance = Math.random();",
  "const env = process.env;",
  "const env = (globalThis as { process?: object }).process;",
  "setTimeout(run, 5);",
  "const later = setInterval;",
  "await fetch(url);",
  "console.log(1);",
  "performance.now();",
  "crypto.randomUUID();",
  "AbortSignal.timeout(5);",
])("%s is refused in the kernel and in the protocol", (text) => {
  expect(usesIn(text)).toHaveLength(1);
  expect(usesIn(text, "packages/protocol/src/x.ts")).toHaveLength(1);
});

test.each([
  "const at = new Date(ms).toISOString();",
  "const whole = Math.floor(1.5);",
  "const now = clock.now();",
  "const x = task.process;",
  "const x = { process: 1, fetch() {} };",
  "interface Host { process?: object }",
  "const signal = AbortSignal.any([]);",
  "// process.env is not read here",
])("%s is allowed", (text) => {
  expect(usesIn(text)).toEqual([]);
});

test("tests, ports and tools are not held to it", () => {
  expect(usesIn("Date.now();", "packages/kernel/src/x.test.ts")).toEqual([]);
  expect(usesIn("Date.now();", "packages/ports/src/clock/system-clock.ts")).toEqual([]);
});

test("the one exception covers one word in one file", () => {
  const path = "packages/protocol/src/sha256.ts";
  expect(usesIn("const host = globalThis;", path)).toEqual([]);
  expect(usesIn("Date.now();", path)).toHaveLength(1);
});
