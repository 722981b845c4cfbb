/**
 * Conditions: expressions over the facts of an action that are true or false (spec/policy.md §4).
 */
import { CONDITION_LENGTH_MAX, type ConditionFailure, POLICY_FACTS } from "@turnseal/protocol";
import type { UnitsRead } from "../../values/units-read.ts";
import type { KnownNames } from "./compile-node.ts";
import { compileExpression, EXPRESSION_STEPS_MAX } from "./expression.ts";
import { listFieldsRead } from "./list-fields-read.ts";

/** True when it holds for these facts, or the reason why that is unknown. */
export type Condition = (facts: object) => boolean | ConditionFailure;

export type CompiledCondition =
  | {
      readonly kind: "compiled";
      readonly condition: Condition;
      /** The units of `spend` that it reads. */
      readonly unitsRead: UnitsRead;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** The facts whose fields are known. */
const factFields: Readonly<Record<string, readonly string[]>> = {
  tool: ["name", "version", "effect"],
  run: ["id", "turn"],
};
const facts: KnownNames = new Map(POLICY_FACTS.map((name) => [name, factFields[name]]));

/** Compiled conditions that are kept: those of a grant or a policy come with every action. */
export const CONDITION_CACHE_MAX = 1_000;

const cache = new Map<string, CompiledCondition>();

/** Compiles a condition, or says why it is refused. */
export function compileCondition(text: string): CompiledCondition {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const compiled = createCondition(text);
  // A text that is too long is refused by its length, and not cached.
  if (text.length > CONDITION_LENGTH_MAX) return compiled;
  if (cache.size >= CONDITION_CACHE_MAX) cache.clear();
  cache.set(text, compiled);
  return compiled;
}

function createCondition(text: string): CompiledCondition {
  const compiled = compileExpression(text, facts);
  if (compiled.kind === "refused") return compiled;
  const { evaluate, type, ast } = compiled;
  if (type !== "bool" && type !== "dyn")
    return { kind: "refused", reason: `is of type ${type}, and has to be true or false` };
  return {
    kind: "compiled",
    unitsRead: listFieldsRead(ast, "spend"),
    condition: (known) => {
      const evaluated = evaluate(known, { stepsLeft: EXPRESSION_STEPS_MAX });
      if (evaluated.kind === "failed") return evaluated.failure;
      return typeof evaluated.value === "boolean" ? evaluated.value : "type-mismatch";
    },
  };
}
