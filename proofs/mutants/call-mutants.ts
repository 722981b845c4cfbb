import type { Mutant } from "./mutant.ts";

/** Faults in what a call does. */
export const callMutants: readonly Mutant[] = [
  {
    name: "output-not-validated",
    file: "packages/kernel/src/call/run-call.ts",
    find: "const output = validateOutput(loop, produced.value);",
    replace: "const output = succeed(produced.value);",
    fails: [
      "composition/output-validated",
      "lifecycle/invalid-output-composite",
      "lifecycle/invalid-output-prompt",
      "lifecycle/invalid-output-tool",
      "schema/output-prefix-items-refuses",
      "schema/output-unevaluated-properties-refuses",
    ],
  },
  {
    name: "fence-not-read",
    file: "packages/kernel/src/context/read-answer.ts",
    find: "if (fenced === undefined || fits(plain)) return plain;",
    replace: "if (fenced === undefined || fits(plain) || true) return plain;",
    fails: ["lifecycle/model-fenced", "lifecycle/model-fenced-unnamed"],
  },
  {
    name: "fence-before-text",
    file: "packages/kernel/src/context/read-answer.ts",
    find: "if (fenced === undefined || fits(plain)) return plain;",
    replace: "if (fenced === undefined) return plain;",
    fails: ["lifecycle/model-fenced-text"],
  },
  {
    name: "mutated-input",
    file: "packages/kernel/src/call/run-call.ts",
    find: "const copied = copyJson(input, INPUT_BYTES_MAX);",
    replace: "const copied = { ...copyJson(input, INPUT_BYTES_MAX), value: input };",
    fails: ["isolation/step-changes-its-input", "isolation/tool-changes-its-input"],
  },
  {
    name: "ignored-binding",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: "if (step.binding !== undefined) known",
    replace: "if (false) known",
    fails: [
      "composition/binding",
      "composition/binding-skips-a-step",
      "composition/binding-status",
      "composition/binding-whole-result",
      "expression/binding",
      "expression/output",
      "expression/trace-is-counted",
      "mapping/binding-path",
    ],
  },
  {
    name: "failure-passed-over",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: 'if (outcome.kind === "error") return failChild',
    replace: [
      'if (outcome.kind === "error") outcome.value = {};',
      "else if (false) return failChild",
    ].join("\n"),
    fails: [
      "composition/backend-of-step-fails",
      "composition/mutual-reference",
      "composition/self-reference",
      "composition/step-fails",
      "composition/step-refuses-input",
      "composition/unknown-step-nested",
      "expression/does-not-fit",
    ],
  },
  {
    name: "unbounded-depth",
    file: "packages/kernel/src/flow/prepare-child.ts",
    find: "frame.depth >= DEPTH_MAX",
    replace: "false",
    fails: [
      "composition/mutual-reference",
      "composition/self-reference",
      "lifecycle/one-end-self-reference",
    ],
  },
  {
    name: "unknown-loop-throws",
    file: "packages/kernel/src/call/executor.ts",
    find: "const outcome = refuseUnknown(loopId, version, call, recorder);",
    replace: 'throw new Error("there is no such loop");',
    fails: [
      "composition/unknown-loop",
      "composition/unknown-version",
      "lifecycle/one-end-unknown-loop",
      "schema/invalid-then-called",
    ],
  },
  {
    name: "re-expanded-template",
    file: "packages/protocol/src/loop/template.ts",
    find: "const value = renderValue(readField(input, name));\n    valuesLength",
    replace: [
      "const value = renderTemplate(renderValue(readField(input, name)), input);",
      "    valuesLength",
    ].join("\n"),
    fails: ["template/earlier-value-not-expanded", "template/value-not-expanded"],
  },
  {
    name: "inherited-fields-read",
    file: "packages/protocol/src/loop/path.ts",
    find: "if (!Object.hasOwn(value, segment))",
    replace: "if (!(segment in value))",
    fails: ["mapping/inherited-name-is-absent"],
  },
];
