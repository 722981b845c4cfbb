/** Keywords that apply subschemas to the same value. */
import type { JsonValue } from "@turnseal/protocol";
import { addFault, attempt, type Check, isDecided } from "./evaluation.ts";
import type { KeywordCompiler } from "./keyword.ts";

const compileReference: KeywordCompiler = ({ $ref }, { follow }) =>
  typeof $ref === "string" ? follow($ref) : undefined;

const compileAllOf: KeywordCompiler = ({ allOf }, { compile }) => {
  if (!Array.isArray(allOf)) return undefined;
  const checks = allOf.map(compile);
  return (value, evaluation) => {
    let isValid = true;
    for (const check of checks) {
      if (check(value, evaluation)) continue;
      isValid = false;
      if (isDecided(evaluation)) break;
    }
    return isValid;
  };
};

const compileAnyOf: KeywordCompiler = ({ anyOf }, { compile }) => {
  if (!Array.isArray(anyOf)) return undefined;
  const checks = anyOf.map(compile);
  return (value, evaluation) => {
    let isValid = false;
    for (const check of checks) {
      if (!attempt(check, value, evaluation)) continue;
      isValid = true;
      // Where coverage is needed, every alternative that holds adds to it.
      if (evaluation.covered === undefined) break;
    }
    return isValid || addFault(evaluation, "must fit one of the alternatives");
  };
};

const compileOneOf: KeywordCompiler = ({ oneOf }, { compile }) => {
  if (!Array.isArray(oneOf)) return undefined;
  const checks = oneOf.map(compile);
  return (value, evaluation) => {
    let count = 0;
    for (const check of checks) {
      if (attempt(check, value, evaluation)) count++;
      if (count > 1) return addFault(evaluation, "must fit only one of the alternatives");
    }
    return count === 1 || addFault(evaluation, "must fit one of the alternatives");
  };
};

const compileNot: KeywordCompiler = ({ not }, { compile }) => {
  if (not === undefined) return undefined;
  const check = compile(not);
  return (value, evaluation) => {
    const { covered } = evaluation;
    evaluation.covered = undefined;
    const isValid = !attempt(check, value, evaluation);
    evaluation.covered = covered;
    return isValid || addFault(evaluation, "must not fit the schema of `not`");
  };
};

const compileCondition: KeywordCompiler = (schema, { compile }) => {
  const condition = schema["if"];
  if (condition === undefined) return undefined;
  const check = compile(condition);
  const compileBranch = (branch: JsonValue | undefined): Check | undefined =>
    branch === undefined ? undefined : compile(branch);
  const whenTrue = compileBranch(schema["then"]);
  const whenFalse = compileBranch(schema["else"]);
  return (value, evaluation) => {
    const branch = attempt(check, value, evaluation) ? whenTrue : whenFalse;
    return branch === undefined || branch(value, evaluation);
  };
};

export const logicKeywords: readonly KeywordCompiler[] = [
  compileReference,
  compileAllOf,
  compileAnyOf,
  compileOneOf,
  compileNot,
  compileCondition,
];
