/**
 * Conditions in CEL over facts (spec/policy.md §4). The library reads and type-checks the text; the
 * evaluation is ours, because the library's has no limit to what it does.
 */
import { Environment } from "@marcbachmann/cel-js";
import {
  CONDITION_LENGTH_MAX,
  type ConditionFailure,
  type JsonValue,
  POLICY_FACTS,
} from "@turnseal/protocol";
import { isSpent } from "../meter.ts";
import { compileNode } from "./compile-node.ts";
import type { Evaluate, Scope } from "./scope.ts";
import { Failure } from "./value.ts";

/** Whether it holds for these facts, or why that cannot be said. */
export type Condition = (facts: object) => boolean | ConditionFailure;

export type CompiledCondition =
  | { readonly kind: "compiled"; readonly condition: Condition }
  | { readonly kind: "refused"; readonly reason: string };

/** Steps of one evaluation of one condition (spec/policy.md §6). */
export const CONDITION_STEPS_MAX = 250_000;
/** Parts of one condition. */
export const CONDITION_NODES_MAX = 500;
/** How deep the parts of a condition may stand inside each other. */
export const CONDITION_DEPTH_MAX = 32;
/** Items of a list that is written out in a condition. */
export const CONDITION_LIST_MAX = 256;

const environment = new Environment({
  limits: {
    maxAstNodes: CONDITION_NODES_MAX,
    maxDepth: CONDITION_DEPTH_MAX,
    maxListElements: CONDITION_LIST_MAX,
    maxMapEntries: 0,
    maxCallArguments: 3,
  },
});
for (const fact of POLICY_FACTS) environment.registerVariable(fact, "dyn");

/** Compiled conditions that are kept: those of a grant or a policy come with every action. */
export const CONDITION_CACHE_MAX = 1_000;

const cache = new Map<string, CompiledCondition>();

/** Compiles a condition, or says why it is refused. */
export function compileCondition(text: string): CompiledCondition {
  if (text.length > CONDITION_LENGTH_MAX) {
    return refuse(`is longer than ${CONDITION_LENGTH_MAX} characters`);
  }
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  if (cache.size >= CONDITION_CACHE_MAX) cache.clear();
  const compiled = createCondition(text);
  cache.set(text, compiled);
  return compiled;
}

function createCondition(text: string): CompiledCondition {
  try {
    const parsed = environment.parse(text);
    let reason: string | undefined;
    const evaluate = compileNode(parsed.ast, {
      slots: new Map(),
      refuse: (node, message) => {
        reason ??= `${message} (at character ${node.start + 1})`;
      },
    });
    reason ??= describeType(parsed.check());
    return reason === undefined ? { kind: "compiled", condition: bind(evaluate) } : refuse(reason);
  } catch (error) {
    return refuse(describe(error));
  }
}

function refuse(reason: string): CompiledCondition {
  return { kind: "refused", reason };
}

function bind(evaluate: Evaluate): Condition {
  return (facts) => {
    const scope: Scope = {
      stepsLeft: CONDITION_STEPS_MAX,
      facts: facts as Readonly<Record<string, JsonValue>>,
      items: [],
    };
    const value = evaluate(scope);
    // Also where an operator outweighed the failure: what was left out might have decided.
    if (isSpent(scope)) return "steps-exhausted";
    if (typeof value === "boolean") return value;
    return value instanceof Failure ? value.code : "type-mismatch";
  };
}

function describeType(checked: ReturnType<Environment["check"]>): string | undefined {
  if (!checked.valid) return describe(checked.error);
  if (checked.type === "bool" || checked.type === "dyn") return undefined;
  return `is of type ${checked.type}, and has to be true or false`;
}

/** UTF-16 units of the library's words that are repeated. */
const WORDS_LENGTH = 200;

function describe(error: unknown): string {
  const { summary, range } = Object(error) as { summary?: unknown; range?: { start: number } };
  if (typeof summary !== "string") return "cannot be read";
  const place = range === undefined ? "" : ` (at character ${range.start + 1})`;
  return `${summary.slice(0, WORDS_LENGTH).toWellFormed()}${place}`;
}
