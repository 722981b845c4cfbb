import type { Mutant } from "./mutant.ts";

const nodes = "packages/kernel/src/flow/nodes";
const definition = "packages/kernel/src/definition/flow";

/** Faults in what the nodes of a flow do, and in which flows are taken. */
export const flowMutants: readonly Mutant[] = [
  {
    name: "delay-grows-by-addition",
    file: `${nodes}/decide-delay.ts`,
    find: "delayMs * 2 ** (attempt - 2)",
    replace: "delayMs * (attempt - 1)",
  },
  {
    name: "delay-without-a-cap",
    file: `${nodes}/decide-delay.ts`,
    find: "Math.min(capMs, delayMs * 2 ** (attempt - 2))",
    replace: "delayMs * 2 ** (attempt - 2)",
  },
  {
    name: "first-try-not-counted",
    file: `${nodes}/run-tries.ts`,
    find: "attempt < retry.max",
    replace: "attempt <= retry.max",
  },
  {
    name: "every-code-tried-again",
    file: `${nodes}/run-tries.ts`,
    find: " && retry.on.has(code)",
    replace: "",
  },
  {
    name: "long-expressions-free",
    file: `${nodes}/read-known.ts`,
    find: "return countRuns(at, nodes) ?? given;",
    replace: "return countRuns(at, 0 * nodes) ?? given;",
  },
  {
    name: "steps-not-rounded-down",
    file: `${nodes}/read-known.ts`,
    find: "Math.floor((EXPRESSION_STEPS_MAX - meter.stepsLeft) / NODE_STEPS)",
    replace: "(EXPRESSION_STEPS_MAX - meter.stepsLeft) / NODE_STEPS",
  },
  {
    name: "time-of-a-node-not-kept",
    file: `${nodes}/run-tries.ts`,
    find: "sinceMs + timeoutMs",
    replace: "sinceMs + 2 * timeoutMs",
  },
  {
    name: "skipped-in-place-of-a-failure",
    file: `${nodes}/run-node.ts`,
    find: 'instead.kind === "skipped" ? failed : instead',
    replace: "instead",
  },
  {
    name: "not-critical-blocks-nothing",
    file: `${nodes}/run-node.ts`,
    find: "code: failureCodeOf(failed) }, !isCritical)",
    replace: "code: failureCodeOf(failed) }, false)",
  },
  {
    name: "blocked-blocks-nothing",
    file: `${nodes}/run-node.ts`,
    find: 'isBlocked = why.because === "blocked"',
    replace: "isBlocked = false",
  },
  {
    name: "failure-of-a-condition-not-borne",
    file: `${nodes}/run-node.ts`,
    find: "  const runOnce = (at",
    replace: '  if (wanted.kind === "error") return wanted;\n  const runOnce = (at',
  },
  {
    name: "skipped-node-is-the-last",
    file: `${nodes}/run-sequence-node.ts`,
    find: 'if (outcome.kind === "ok") last = outcome.value;',
    replace: 'last = outcome.kind === "ok" ? outcome.value : null;',
  },
  {
    name: "last-case-that-holds",
    file: `${nodes}/run-branch.ts`,
    find: "    break;\n",
    replace: "",
  },
  {
    name: "else-never-taken",
    file: `${nodes}/run-branch.ts`,
    find: '[otherCase, "/else"]',
    replace: '[otherCase === undefined ? otherCase : undefined, "/else"]',
  },
  {
    name: "one-round-too-few",
    file: `${nodes}/run-repeat.ts`,
    find: "if (round === node.max)",
    replace: "if (round === node.max - 1)",
  },
  {
    name: "last-round-forgotten",
    file: `${nodes}/run-repeat.ts`,
    find: 'if (onMax === "continue") return give(last);',
    replace: 'if (onMax === "continue") return give(null);',
  },
  {
    name: "path-to-what-was-skipped",
    file: `${nodes}/read-known.ts`,
    find: "if (!isThere(known, root)) return true;",
    replace: "",
  },
  {
    name: "any-width",
    file: `${definition}/check-fan-out.ts`,
    find: "else checkLimit(node.max, { ...place, most: FAN_OUT_MAX }, mend);",
    replace: "else checkLimit(node.max, { ...place, most: SPREAD_MAX }, mend);",
  },
  {
    name: "quorum-of-more-than-there-are",
    file: `${definition}/check-fan-out.ts`,
    find: "join.quorum > width",
    replace: "join.quorum > width + 1",
  },
  {
    name: "any-name",
    file: `${definition}/sight.ts`,
    find: "if (flowNames.has(name)) {",
    replace: 'if (flowNames.has(name) && name === "") {',
  },
  {
    name: "name-for-two",
    file: `${definition}/sight.ts`,
    find: "} else if (names.has(name)) {",
    replace: '} else if (names.has(name) && name === "") {',
  },
  {
    name: "as-many-tries-as-others",
    file: `${definition}/check-retry.ts`,
    find: "exponential: 5 }",
    replace: "exponential: 3 }",
  },
  {
    name: "bad-input-tried-again",
    file: `${definition}/check-retry.ts`,
    find: '  "BACKEND_FAILED",\n',
    replace: '  "BACKEND_FAILED",\n  "INPUT_VALIDATION_FAILED",\n',
  },
  {
    name: "index-from-one",
    file: `${nodes}/fan-out/fix-list.ts`,
    find: "Index`]: index },",
    replace: "Index`]: index + 1 },",
  },
  {
    name: "round-from-one",
    file: `${nodes}/run-repeat.ts`,
    find: "at = withKnown(at, { round });",
    replace: "at = withKnown(at, { round: round + 1 });",
  },
];
