import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createAlphabet } from "./alphabet.ts";
import {
  compilePattern,
  PATTERN_CACHE_MAX,
  PATTERN_COST_MAX,
  PATTERN_LENGTH_MAX,
  PATTERN_STEPS_MAX,
} from "./compile-pattern.ts";
import { createProgram, PATTERN_NODES_MAX } from "./create-program.ts";
import { isExponential } from "./is-exponential.ts";
import { createMachine } from "./machine.ts";
import { PATTERN_LOOKAROUNDS_MAX, PATTERN_PROPERTIES_MAX, parsePattern } from "./parse-pattern.ts";

const EXPONENTIAL = "can backtrack exponentially";
const TOO_COMPLEX = "is too complex to be analysed";
const TOO_DEAR = "follows too many possibilities at once";

function reasonFor(source: string): string | undefined {
  const compiled = compilePattern(source);
  return compiled.kind === "refused" ? compiled.reason : undefined;
}

test.each([
  ["email", z.email(), "ada.lovelace+x@example.co.uk", "ada@example"],
  ["uuid", z.uuid(), "0192d3f4-1c2b-7abc-8def-0123456789ab", "0192d3f4-1c2b-7abc-8def-0123456789a"],
  ["ipv4", z.ipv4(), "192.168.0.255", "192.168.0.256"],
  ["ipv6", z.ipv6(), "2001:db8::8a2e:370:7334", "2001:db8::8a2e::7334"],
  ["cidrv4", z.cidrv4(), "10.0.0.0/8", "10.0.0.0/33"],
  ["cidrv6", z.cidrv6(), "2001:db8::/32", "2001:db8::/129"],
  ["emoji", z.emoji(), "😀👍🏽", "123"],
  ["hostname", z.hostname(), "a-b.example.org", "-a.example.org"],
  ["date", z.iso.date(), "2024-02-29", "2023-02-29"],
  ["datetime", z.iso.datetime({ offset: true }), "2024-02-29T10:00:00.5+02:00", "2024-02-29"],
  ["time", z.iso.time(), "23:59:59.999", "24:00"],
  ["duration", z.iso.duration(), "P1Y2M3DT4H5M6.7S", "P1Y2W"],
  ["base64", z.base64(), "YWJjZA==", "YWJjZA="],
  ["template", z.templateLiteral(["v", z.number()]), "v1.5", "v"],
])("accepts the %s pattern of zod, which answers as it does", (_name, schema, good, bad) => {
  const compiled = compilePattern(String(z.toJSONSchema(schema).pattern));
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  expect(compiled.test(good)).toBe(true);
  expect(compiled.test(bad)).toBe(false);
});

test.each([
  ["", "anything", undefined],
  ["foo.*bar", "a foo and a bar", "bar foo"],
  ["^\\s*(.*?)\\s*$", "  text  ", "  a\nb"],
  ["^[a-z0-9]+(-[a-z0-9]+)*$", "a-slug-2", "a--slug"],
  ["^(?:\\d+\\.){2}\\d+(?:-[\\w.-]+)?(?:\\+[\\w.-]+)?$", "1.2.3-rc.1+build", "1.2"],
  ["^[\\w-]+\\.[\\w-]+\\.[\\w-]*$", "eyJh.eyJz.SflK", "eyJh.eyJz"],
  ["^\\p{L}+(?:[ '\\-]\\p{L}+)*$", "Åsa O'Brien-Çelik", "R2 D2"],
  ["^[\\p{L}\\p{M}]+(?:[\\p{Pd} ][\\p{L}\\p{M}]+)*$", "Åsa–Li", "–"],
  ["^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{8,}$", "Passw0rd!", "password!"],
  ["^((?!foo).)*$", "fo of", "a foo"],
  [
    "^https?://[-\\w@:%.+~#=]{1,256}\\.[\\w()]{1,6}\\b[-\\w()@:%+.~#?&/=]*$",
    "https://a.io/b?c",
    "a.io",
  ],
  ["(?<!\\$)\\b\\d+(?= EUR)", "costs 12 EUR", "costs $12 EUR"],
  ["^.{1,2000}$", "x".repeat(2_000), "x".repeat(2_001)],
  ["x.{900}y", `x${"-".repeat(900)}y`, `x${"-".repeat(899)}y`],
  // An engine that backtracks needs time to the power of twenty, or of two to the thirty.
  ["^(.*a){20}$", "a".repeat(20), "a".repeat(19)],
  ["^(a?){30}a{30}$", "a".repeat(30), "a".repeat(29)],
  // Passes that read nothing are dropped, so these are not ambiguous.
  ["^(?:a?)*$", "aaa", "b"],
  ["^(?:(?:a|){0,2}b)*$", "aabbab", "aaab"],
  ["^(?:){1000000000}$", "", "x"],
])("accepts %s and matches by it", (source, good, bad) => {
  const compiled = compilePattern(source);
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  expect(compiled.test(good)).toBe(true);
  if (bad !== undefined) expect(compiled.test(bad)).toBe(false);
});

test.each([
  "(a*)*",
  "(a+)+",
  "(a|a)*",
  "(a|aa)+",
  "(?:a|b|ab)*",
  "(x+x+)+y",
  "^(a?b?)*$",
  "^(?:a{0,2}){2,}$",
  "((?:a|)+b)*",
  "(\\w+\\s?)+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(?:\\p{L}|\\p{Lu})*",
  "(?:.|[^a])*?b",
  "^(?=(a+)+b)",
  "(?<=(a|a)*)b",
  "x(?!y(?:(?=z)z|z)*)",
])("refuses %s, which is exponential", (source) => {
  expect(reasonFor(source)).toBe(EXPONENTIAL);
});

test.each([
  ["(", "is not a regular expression: Unterminated group"],
  ["a{1", "is not a regular expression: Incomplete quantifier"],
  ["\\p{Nope}", "is not a regular expression: Invalid property name"],
  ["\\-", "is not a regular expression: Invalid escape"],
  ["(a)\\1", "uses a backreference"],
  ["(?<x>a)\\k<x>", "uses a backreference"],
  ["(?i:a)", "changes flags inside a group"],
])("refuses %s with the reason", (source, reason) => {
  expect(reasonFor(source)).toBe(reason);
});

test("accepts a source of PATTERN_LENGTH_MAX and refuses a longer one", () => {
  expect(reasonFor("a".repeat(PATTERN_LENGTH_MAX))).toBeUndefined();
  expect(reasonFor("a".repeat(PATTERN_LENGTH_MAX + 1))).toBe("is longer than 1000 characters");
});

test("accepts PATTERN_LOOKAROUNDS_MAX lookarounds and refuses one more", () => {
  const source = "^(?=.*a)(?!b)(?<=^)(?<!c)(?=.*a)(?=.*a)(?=.*a)(?=.*(?=.*(?=a)))";
  expect(source.match(/\(\?/g)).toHaveLength(PATTERN_LOOKAROUNDS_MAX + 2);
  expect(reasonFor(source)).toBe("has more than 8 lookarounds");
  const fewer = compilePattern(source.replace("(?=.*(?=.*(?=a)))", "(?=a)"));
  expect(fewer.kind === "pattern" && fewer.test("aab") && !fewer.test("baa")).toBe(true);
});

test("accepts PATTERN_PROPERTIES_MAX distinct properties and refuses one more", () => {
  const names = ["Lu", "Ll", "Nd", "Pd", "Sc", "Zs", "Mn", "Cc", "Sm"];
  const sourceOf = (count: number): string =>
    names.map((name, index) => (index < count ? `\\p{${name}}\\P{${name}}` : "")).join("");
  expect(reasonFor(sourceOf(PATTERN_PROPERTIES_MAX))).toBeUndefined();
  expect(reasonFor(sourceOf(PATTERN_PROPERTIES_MAX + 1))).toBe(
    "has more than 8 distinct Unicode properties",
  );
});

test("writes out repetition up to PATTERN_NODES_MAX nodes", () => {
  // One node for the end of the match, and one for each letter.
  const largest = parsePattern(`a{${PATTERN_NODES_MAX - 1}}`);
  const larger = parsePattern(`a{${PATTERN_NODES_MAX}}`);
  if (largest.kind === "refused" || larger.kind === "refused") throw new Error("did not parse");
  expect(createProgram(largest.pattern)?.main.nodes).toHaveLength(PATTERN_NODES_MAX);
  expect(createProgram(larger.pattern)).toBeUndefined();
});

test.each(["a{5000}", "((a{100}){100}){100}", "(?:|a){4294967295}", "(?:(?=a)){1000000000}b"])(
  "refuses %s without writing it out",
  (source) => {
    expect(reasonFor(source)).toBe("has more than 5000 nodes when its repetition is written out");
  },
);

test("accepts a pattern that costs PATTERN_COST_MAX for each character, and none above", () => {
  // A word of 32 positions costs 6, and one bit of the last word stays free.
  const longest = (PATTERN_COST_MAX / 6) * 32 - 1;
  expect(compilePattern(`^.{${longest}}$`)).toMatchObject({ cost: PATTERN_COST_MAX });
  expect(reasonFor(`^.{${longest + 1}}$`)).toBe(TOO_DEAR);
  expect(reasonFor(`^${"(?:.*x)".repeat(110)}$`)).toBe(TOO_DEAR);
});

test("spends PATTERN_STEPS_MAX steps on an analysis, and no more", () => {
  const countSteps = (source: string): number => {
    const parsed = parsePattern(source);
    const program = parsed.kind === "parsed" ? createProgram(parsed.pattern) : undefined;
    if (program === undefined) throw new Error("was refused");
    const alphabet = createAlphabet(program.sets);
    const meter = { stepsLeft: Number.MAX_SAFE_INTEGER };
    isExponential(program.main, alphabet, meter);
    createMachine(program.main, alphabet, meter);
    return Number.MAX_SAFE_INTEGER - meter.stepsLeft;
  };
  let within = 1;
  let beyond = 1_024;
  while (beyond - within > 1) {
    const middle = (within + beyond) >>> 1;
    if (countSteps(`(?:a?){${middle}}`) <= PATTERN_STEPS_MAX) within = middle;
    else beyond = middle;
  }
  // It can be analysed within the steps, which does not make it cheap to match.
  expect(reasonFor(`(?:a?){${within}}`)).toBe(TOO_DEAR);
  expect(reasonFor(`(?:a?){${beyond}}`)).toBe(TOO_COMPLEX);
});

test.each(["(?:|||||){30}x", "^(?:[^a]?[^b]?){900}$", "(?:(?:(?:a?){9}){9}){9}"])(
  "refuses %s, which takes too many steps to analyse",
  (source) => {
    expect(reasonFor(source)).toBe(TOO_COMPLEX);
  },
);

test("keeps PATTERN_CACHE_MAX compiled patterns", async () => {
  vi.resetModules();
  const fresh = await import("./compile-pattern.ts");
  const first = fresh.compilePattern("first");
  for (let count = 1; count < PATTERN_CACHE_MAX; count += 1) fresh.compilePattern(`n${count}`);
  expect(fresh.compilePattern("first")).toBe(first);
  fresh.compilePattern("one more");
  expect(fresh.compilePattern("first")).not.toBe(first);
});
