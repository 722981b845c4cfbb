import type { LoopDef, LoopPolicy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { LIMIT_COUNT_MAX, LIMIT_NAME_LENGTH_MAX, ROUTES_MAX } from "../limits.ts";
import { checkLoop } from "./check-loop.ts";
import { FALLBACK_CODES } from "./check-loop-policy.ts";

function routed(policy: LoopPolicy): LoopDef {
  const { backend: _, ...loop } = promptLoop("ask", { policy });
  return loop;
}

function problemsOf(document: unknown) {
  const checked = checkLoop(document, "strict");
  return checked.kind === "refused" ? checked.problems : [];
}

const rulesOf = (document: unknown): string[] =>
  problemsOf(document).map(({ rule, path }) => `${rule} ${path}`);

const routes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `b${index}` }));

test("ROUTES_MAX routes are accepted, and one more is not", () => {
  expect(rulesOf(routed({ routes: routes(ROUTES_MAX) }))).toEqual([]);
  expect(rulesOf(routed({ routes: routes(ROUTES_MAX + 1) }))).toEqual([
    "field-type /policy/routes",
  ]);
});

test("every class but a refusal and an abort may be moved on after", () => {
  expect(rulesOf(routed({ routes: routes(2), fallback: FALLBACK_CODES }))).toEqual([]);
  for (const code of ["MODEL_REFUSED", "MODEL_ABORTED", "TOOL_FAILED", "model_rate_limited"]) {
    const [problem, ...more] = problemsOf(routed({ routes: routes(2), fallback: [code] }));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ rule: "policy-unfit", path: "/policy/fallback/0" });
    expect(problem?.mend).toContain("MODEL_RATE_LIMITED");
  }
});

test("a limit has a name up to LIMIT_NAME_LENGTH_MAX and counts up to LIMIT_COUNT_MAX", () => {
  const limited = (part: object): LoopDef =>
    promptLoop("ask", { policy: { rateLimit: { name: "chat", ...part } } });
  expect(rulesOf(limited({ name: "n".repeat(LIMIT_NAME_LENGTH_MAX), inFlight: 1 }))).toEqual([]);
  expect(rulesOf(limited({ name: "n".repeat(LIMIT_NAME_LENGTH_MAX + 1), inFlight: 1 }))).toEqual([
    "policy-unfit /policy/rateLimit/name",
  ]);
  for (const field of ["perMinute", "inFlight"]) {
    expect(rulesOf(limited({ [field]: LIMIT_COUNT_MAX }))).toEqual([]);
    for (const value of [LIMIT_COUNT_MAX + 1, 0, -1, 1.5, "9"])
      expect(rulesOf(limited({ [field]: value }))).toEqual([
        `field-type /policy/rateLimit/${field}`,
      ]);
  }
  expect(rulesOf(limited({}))).toEqual(["policy-unfit /policy/rateLimit"]);
});

test.each<[string, LoopDef]>([
  ["a tool", toolLoop("act")],
  ["a composite", compositeLoop("whole", [step("act")])],
])("%s has no part of the policy of a prompt", (_, loop) => {
  const policy = {
    routes: routes(2),
    fallback: ["MODEL_UNREACHABLE"],
    rateLimit: { name: "chat", inFlight: 1 },
    inputFilters: [{ loopId: "one" }],
    outputFilters: [{ loopId: "one" }],
  };
  expect(rulesOf({ ...loop, policy })).toEqual(
    Object.keys(policy).map((part) => `policy-unfit /policy/${part}`),
  );
  expect(rulesOf({ ...loop, policy: { timeoutMs: 1 } })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ["routes that are none", { routes: [] }, "field-empty /policy/routes"],
  ["a route without a name", { routes: [{ model: "a" }] }, "field-missing /policy/routes/0"],
  [
    "a field that no route has",
    { routes: [{ id: "a", weight: 1 }] },
    "field-unknown /policy/routes/0/weight",
  ],
  [
    "a condition in words",
    { routes: [{ id: "a", when: "always" }] },
    "field-type /policy/routes/0/when",
  ],
  ["a filter without a loop", { inputFilters: [{}] }, "field-missing /policy/inputFilters/0"],
  [
    "a filter of no version",
    { outputFilters: [{ loopId: "a", loopVersion: "1" }] },
    "version-semver /policy/outputFilters/0/loopVersion",
  ],
  ["a limit without a name", { rateLimit: { inFlight: 1 } }, "field-missing /policy/rateLimit"],
])("%s: refused, and where", (_, policy, expected) => {
  const loop = routed(policy as LoopPolicy);
  const document = loop.policy?.routes === undefined ? { ...loop, backend: { id: "b" } } : loop;
  expect(rulesOf(document)).toEqual([expected]);
});
