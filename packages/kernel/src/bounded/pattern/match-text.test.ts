/**
 * Random patterns over a small alphabet are matched against short texts and compared with the
 * engine of the host, which backtracks but is quick on eight characters. Texts hold no surrogate
 * pairs, where V8 departs from the standard; those have literal cases.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../cpu-ms.test.data.ts";
import { compilePattern, PATTERN_COST_MAX } from "./compile-pattern.ts";

const LENGTH_LONG = 50_000;

const atom = fc.constantFrom(
  ..."abc.-",
  ..."\\w \\W \\d \\s \\S [ab] [^a] [a-c1] [\\d\\s] [^] [] \\p{L} \\P{Lu} [\\p{Lu}_] é".split(" "),
);
const quantifier = fc.constantFrom(..."* + ? {2} {0} {0,2} {1,3} {2,} *? +? ?? {1,}?".split(" "));
const assertion = fc.constantFrom("^", "$", "\\b", "\\B");
const look = fc.constantFrom("?=", "?!", "?<=", "?<!");

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `${left}${right}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(tie("pattern"), quantifier).map(([body, times]) => `(${body})${times}`),
    fc.tuple(tie("pattern"), quantifier).map(([body, times]) => `(?:${body}|)${times}`),
    fc.tuple(assertion, tie("pattern")).map(([edge, body]) => `${edge}${body}`),
    fc.tuple(tie("pattern"), assertion).map(([body, edge]) => `${body}${edge}`),
    fc.tuple(look, tie("pattern")).map(([kind, body]) => `(${kind}${body})`),
  ),
}));
const text = fc.string({ unit: fc.constantFrom(..."aaabbbc1A_ -\né\ud800"), maxLength: 8 });

// Random letters keep different sets of positions active all the time.
let state = 1;
const letters = Array.from({ length: 2 ** 16 }, () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state > 2 ** 30 ? "x" : "y";
});
const mebibyte = letters.join("").repeat(2 ** 4);

test("matches as the engine does", () => {
  let comparedCount = 0;
  const property = fc.property(pattern, fc.array(text, { minLength: 5 }), (source, texts) => {
    const compiled = compilePattern(source);
    if (compiled.kind === "refused") return;
    const native = new RegExp(source, "u");
    expect(texts.map(compiled.test)).toEqual(texts.map((each) => native.test(each)));
    comparedCount += texts.length;
    const matched = compiled.texts.length === 0 ? [] : texts.filter(compiled.test);
    for (const each of matched)
      expect(compiled.texts.some((held) => each.includes(held))).toBe(true);
  });
  fc.assert(property, { seed: 20_240_229, numRuns: 1_000 });
  expect(comparedCount).toBeGreaterThan(5_000);
});

test("reads a long text in bounded time with any accepted pattern", () => {
  const words = fc.array(fc.constantFrom(..."abc1- "), { minLength: 1, maxLength: 4 });
  const property = fc.property(pattern, words, fc.constantFrom("", "!"), (source, word, end) => {
    const compiled = compilePattern(source);
    if (compiled.kind === "refused") return;
    const long = word.join("").repeat(LENGTH_LONG / word.length) + end;
    const busyMs = cpuMs(() => {
      compiled.test(long);
    });
    expect(busyMs).toBeLessThan(500);
  });
  fc.assert(property, { seed: 7, numRuns: 60 });
});

test.each([
  "^(.*a){20}$",
  "(?:.*x){40}.{40}z",
  "^(?=.*y$)(?=.*z)(?!.*w)\\s*(.*?)\\s*$",
  "(?<=x.*)y(?=.*z)",
  "x.{900}z",
  "^((((((((((x|y))))))))))*z$",
])("reads a mebibyte by %s without going back or running out of stack", (source) => {
  const compiled = compilePattern(source);
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  expect(compiled.cost).toBeLessThanOrEqual(PATTERN_COST_MAX);
  expect(compiled.test(mebibyte)).toBe(false);
});

test.each([
  ["^.$", "😀", true],
  ["^..$", "😀", false],
  ["^[😀-😂]$", "😁", true],
  ["\\ud83d", "😀", false],
  ["\\ude00", "😀", false],
  ["^\\ud83d$", "\ud83d", true],
  ["^\\u{1f600}$", "\ud83d\ude00", true],
  ["(?<=😀)a", "😀a", true],
  ["(?<=\\ude00)a", "😀a", false],
  ["^\\P{L}$", "😀", true],
  ["\\B", "b😀1", false],
  ["^\\s$", "\ufeff", true],
  ["^.$", "\u2028", false],
  ["^[^]$", "\u2028", true],
  ["\\bé", "aé", true],
])("%s on %j is %s", (source, each, expected) => {
  const compiled = compilePattern(source);
  expect(compiled.kind === "pattern" && compiled.test(each)).toBe(expected);
});

test("an answer does not depend on the texts before it", () => {
  const compiled = compilePattern("^(?=.*b)a+b?$");
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  const answers = ["aab", "aaa", "", "aab", "b"].map(compiled.test);
  expect(answers).toEqual([true, false, false, true, false]);
});
