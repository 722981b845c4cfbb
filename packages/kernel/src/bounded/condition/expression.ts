/**
 * Expressions in CEL over names (spec/policy.md §4): conditions of policies and grants, and
 * computed values of mappings. The library reads and type-checks the text; the evaluation is ours,
 * because the library's has no limit to what it does.
 */
import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import {
  CONDITION_LENGTH_MAX,
  type ConditionFailure,
  type JsonValue,
  type PathSegment,
} from "@turnseal/protocol";
import { isSpent, type Meter } from "../meter.ts";
import { compileNode, type KnownNames } from "./compile-node.ts";
import { listReads } from "./list-reads.ts";
import type { Evaluate, Scope } from "./scope.ts";
import { Failure } from "./value.ts";

/**
 * Evaluates an expression for these facts, or gives the reason for no result. Steps come from the
 * meter.
 */
export type Expression = (facts: object, meter: Meter) => Evaluated;

export type Evaluated =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "failed"; readonly failure: ConditionFailure };

export type CompiledExpression =
  | {
      readonly kind: "compiled";
      readonly evaluate: Expression;
      /** The type that the library sees in it; `dyn` where it depends on the facts. */
      readonly type: string;
      /** The facts it may read, as far as the expression spells them out. */
      readonly reads: readonly (readonly PathSegment[])[];
      readonly ast: ASTNode;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Steps of one evaluation of one condition, or of one mapping (spec/policy.md §6). */
export const EXPRESSION_STEPS_MAX = 250_000;
/** Parts of one expression. */
export const EXPRESSION_NODES_MAX = 500;
/** How deep the parts of an expression may stand inside each other. */
export const EXPRESSION_DEPTH_MAX = 32;
/** Items of a list that is written out in an expression. */
export const EXPRESSION_LIST_MAX = 256;

const environment = new Environment({
  // The compiler checks the names.
  unlistedVariablesAreDyn: true,
  // JSON has lists of different types, and most types are known only when facts are.
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: EXPRESSION_NODES_MAX,
    maxDepth: EXPRESSION_DEPTH_MAX,
    maxListElements: EXPRESSION_LIST_MAX,
    maxMapEntries: 0,
    maxCallArguments: 3,
  },
});

/** Compiles an expression over these names, or says why it is refused. */
export function compileExpression(text: string, names: KnownNames): CompiledExpression {
  if (text.length > CONDITION_LENGTH_MAX)
    return refuse(`is longer than ${CONDITION_LENGTH_MAX} characters`);
  try {
    const parsed = environment.parse(text);
    let reason: string | undefined;
    const evaluate = compileNode(parsed.ast, {
      names,
      slots: new Map(),
      refuse: (node, message) => {
        reason ??= `${message} (at character ${node.start + 1})`;
      },
    });
    if (reason !== undefined) return refuse(reason);
    const checked = parsed.check();
    if (!checked.valid) return refuse(describe(checked.error));
    const type = checked.type ?? "dyn";
    const { ast } = parsed;
    return { kind: "compiled", evaluate: bind(evaluate), type, reads: listReads(ast), ast };
  } catch (error) {
    return refuse(describe(error));
  }
}

function refuse(reason: string): CompiledExpression {
  return { kind: "refused", reason };
}

function bind(evaluate: Evaluate): Expression {
  return (facts, meter) => {
    const scope: Scope = {
      stepsLeft: meter.stepsLeft,
      facts: facts as Readonly<Record<string, JsonValue>>,
      items: [],
    };
    const value = evaluate(scope);
    meter.stepsLeft = scope.stepsLeft;
    // Also where an operator outweighed the failure: what was left out might have decided.
    if (isSpent(meter)) return { kind: "failed", failure: "steps-exhausted" };
    return value instanceof Failure
      ? { kind: "failed", failure: value.code }
      : { kind: "value", value };
  };
}

/** UTF-16 units of the library's words that are repeated. */
const WORDS_LENGTH = 200;

function describe(error: unknown): string {
  const { summary, range } = Object(error) as { summary?: unknown; range?: { start: number } };
  if (typeof summary !== "string") return "cannot be read";
  const place = range === undefined ? "" : ` (at character ${range.start + 1})`;
  return `${summary.slice(0, WORDS_LENGTH).toWellFormed()}${place}`;
}
