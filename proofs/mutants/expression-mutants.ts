import type { Mutant } from "./mutant.ts";

const mappings = "packages/kernel/src/definition/checked-mapping.ts";

/** Faults in what mappings compute. */
export const expressionMutants: readonly Mutant[] = [
  {
    name: "expression-with-steps-of-its-own",
    file: mappings,
    find: "source.evaluate(known, meter)",
    replace: "source.evaluate(known, { stepsLeft: EXPRESSION_STEPS_MAX })",
  },
  {
    name: "expression-with-a-value-for-nothing",
    file: mappings,
    find: "if (!spendOnValue(evaluated.value, meter))",
    replace: "if (false)",
  },
  {
    name: "expression-without-a-value-left-out",
    file: mappings,
    find: 'if (evaluated.kind === "failed") return',
    replace:
      'if (evaluated.failure === "field-missing") continue;\nif (evaluated.kind === "failed") return',
  },
  {
    name: "expression-reads-what-is-inherited",
    file: "packages/kernel/src/bounded/condition/value.ts",
    find: "Object.hasOwn(value, name) ?",
    replace: "name in value ?",
  },
  {
    name: "expression-over-all-steps",
    file: mappings,
    find: '["input", ...position.bindings]',
    replace: '["input", "steps", ...position.bindings]',
  },
  {
    name: "expression-that-is-not-counted-as-reading",
    file: mappings,
    find: ": source.reads;",
    replace: ": [];",
  },
  {
    name: "number-joined-to-a-text",
    file: "packages/kernel/src/bounded/condition/operators.ts",
    find: "return addNumbers(left, right, meter);",
    replace: 'return typeof left === "string" ? left + right : addNumbers(left, right, meter);',
  },
];
