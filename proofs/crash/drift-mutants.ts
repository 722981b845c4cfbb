import type { Mutant } from "../mutants/mutant.ts";

/**
 * Changes to the kernel that would make an open turn act twice, or elsewhere, if nobody noticed.
 */
export const driftMutants: readonly Mutant[] = [
  {
    name: "step-paths-renamed",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: "path: `/steps/$",
    replace: "path: `/step/$",
  },
  {
    name: "tool-paths-renamed",
    file: "packages/kernel/src/flow/call-tools.ts",
    find: "}/rounds/$",
    replace: "}/round/$",
  },
  {
    name: "rendering-changed",
    file: "packages/kernel/src/context/build-request.ts",
    find: "const text = renderWithin(prompt.template, input, PROMPT_LENGTH_MAX);",
    replace: 'const text = renderWithin(prompt.template, input, PROMPT_LENGTH_MAX) + " ";',
  },
  {
    name: "steps-reordered",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: "of loop.steps.entries()",
    replace: "of [...loop.steps].reverse().entries()",
  },
];
