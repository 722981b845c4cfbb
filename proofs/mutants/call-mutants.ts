import type { Mutant } from "./mutant.ts";

/** Faults in what a call does. */
export const callMutants: readonly Mutant[] = [
  {
    name: "output-not-validated",
    file: "packages/kernel/src/call/run-call.ts",
    find: "const output = validateOutput(loop, produced.value);",
    replace: "const output = succeed(produced.value);",
  },
  {
    name: "fence-not-read",
    file: "packages/kernel/src/context/read-answer.ts",
    find: "if (fenced === undefined || fits(plain)) return plain;",
    replace: "if (fenced === undefined || fits(plain) || true) return plain;",
  },
  {
    name: "fence-before-text",
    file: "packages/kernel/src/context/read-answer.ts",
    find: "if (fenced === undefined || fits(plain)) return plain;",
    replace: "if (fenced === undefined) return plain;",
  },
  {
    name: "mutated-input",
    file: "packages/kernel/src/call/run-call.ts",
    find: "const copied = copyJson(input, INPUT_BYTES_MAX);",
    replace: "const copied = { ...copyJson(input, INPUT_BYTES_MAX), value: input };",
  },
  {
    name: "ignored-binding",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: "if (step.binding !== undefined) known",
    replace: "if (false) known",
  },
  {
    name: "failure-passed-over",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: 'if (outcome.kind === "error") return failChild',
    replace: [
      'if (outcome.kind === "error") outcome.value = {};',
      "else if (false) return failChild",
    ].join("\n"),
  },
  {
    name: "unbounded-depth",
    file: "packages/kernel/src/flow/prepare-child.ts",
    find: "frame.depth >= DEPTH_MAX",
    replace: "false",
  },
  {
    name: "unknown-loop-throws",
    file: "packages/kernel/src/call/executor.ts",
    find: "const outcome = refuseUnknown(loopId, version, call, recorder);",
    replace: 'throw new Error("there is no such loop");',
  },
  {
    name: "re-expanded-template",
    file: "packages/protocol/src/loop/template.ts",
    find: "const value = renderValue(readField(input, name));\n    valuesLength",
    replace: [
      "const value = renderTemplate(renderValue(readField(input, name)), input);",
      "    valuesLength",
    ].join("\n"),
  },
  {
    name: "inherited-fields-read",
    file: "packages/protocol/src/loop/path.ts",
    find: "if (!Object.hasOwn(value, segment))",
    replace: "if (!(segment in value))",
  },
];
