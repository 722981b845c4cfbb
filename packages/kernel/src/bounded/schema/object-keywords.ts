/** Keywords for objects. Only own fields count. */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { spend } from "../meter.ts";
import {
  addFault,
  attempt,
  type Check,
  descend,
  type Evaluation,
  isDecided,
} from "./evaluation.ts";
import type { KeywordCompiler, SchemaCompiler } from "./keyword.ts";
import { refuseField } from "./refuse-field.ts";
import { compileMatch } from "./text-keywords.ts";

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const compileRequired: KeywordCompiler = ({ required }) =>
  Array.isArray(required) ? requireNames(required.map(String)) : undefined;

function requireNames(names: readonly string[]): Check {
  return (value, evaluation) => {
    if (!isObject(value)) return true;
    if (!spend(evaluation, names.length)) return false;
    let isValid = true;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      isValid = addFault(evaluation, "is missing", name);
      if (isDecided(evaluation)) break;
    }
    return isValid;
  };
}

const compileMinProperties: KeywordCompiler = ({ minProperties }) => {
  if (typeof minProperties !== "number") return undefined;
  const message = `must have at least ${minProperties} fields`;
  return (value, evaluation) =>
    !isObject(value) ||
    countFields(value, evaluation) >= minProperties ||
    addFault(evaluation, message);
};

const compileMaxProperties: KeywordCompiler = ({ maxProperties }) => {
  if (typeof maxProperties !== "number") return undefined;
  const message = `must have at most ${maxProperties} fields`;
  return (value, evaluation) =>
    !isObject(value) ||
    countFields(value, evaluation) <= maxProperties ||
    addFault(evaluation, message);
};

function countFields(value: JsonObject, evaluation: Evaluation): number {
  const { length } = Object.keys(value);
  spend(evaluation, length);
  return length;
}

const compileDependentRequired: KeywordCompiler = ({ dependentRequired }) => {
  if (!isPlainObject(dependentRequired)) return undefined;
  const dependents = Object.entries(dependentRequired).map(([name, names]) => ({
    name,
    check: requireNames(Array.isArray(names) ? names.map(String) : []),
  }));
  return applyDependents(dependents);
};

const compileDependentSchemas: KeywordCompiler = ({ dependentSchemas }, { compile }) => {
  if (!isPlainObject(dependentSchemas)) return undefined;
  const dependents = Object.entries(dependentSchemas).map(([name, schema]) => ({
    name,
    check: compile(schema as JsonValue),
  }));
  return applyDependents(dependents);
};

function applyDependents(dependents: readonly { name: string; check: Check }[]): Check {
  return (value, evaluation) => {
    if (!isObject(value)) return true;
    if (!spend(evaluation, dependents.length)) return false;
    let isValid = true;
    for (const { name, check } of dependents) {
      if (!Object.hasOwn(value, name) || check(value, evaluation)) continue;
      isValid = false;
      if (isDecided(evaluation)) break;
    }
    return isValid;
  };
}

const compilePropertyNames: KeywordCompiler = ({ propertyNames }, { compile }) => {
  if (propertyNames === undefined) return undefined;
  const check = compile(propertyNames);
  return (value, evaluation) => {
    if (!isObject(value)) return true;
    const wrong = Object.keys(value).find((name) => !attempt(check, name, evaluation));
    return wrong === undefined || refuseField(wrong, [], evaluation);
  };
};

/** The checks that apply to a field, by its name. */
interface FieldChecks {
  readonly named: ReadonlyMap<string, Check>;
  /** Fields of `named` with a constant or a list: in a union they tell the alternatives apart. */
  readonly telling: readonly (readonly [string, Check])[];
  readonly patterns: readonly {
    readonly matches: (text: string, evaluation: Evaluation) => boolean;
    readonly check: Check;
  }[];
  readonly rest: Check | "refused" | undefined;
}

const compileFields: KeywordCompiler = (schema, compiler) => {
  const { properties, patternProperties, additionalProperties } = schema;
  if ((properties ?? patternProperties ?? additionalProperties) === undefined) return undefined;
  const checks = compileFieldChecks(schema, compiler);
  return (value, evaluation) => {
    if (!isObject(value)) return true;
    // If one failure decides, cheap checks come first.
    if (isDecided(evaluation) && !checkTelling(value, checks, evaluation)) return false;
    let isValid = true;
    for (const name of Object.keys(value)) {
      if (checkField(name, value, checks, evaluation)) continue;
      isValid = false;
      if (isDecided(evaluation)) break;
    }
    return isValid;
  };
};

function compileFieldChecks(schema: JsonObject, { compile }: SchemaCompiler): FieldChecks {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const fields = Object.entries(properties as JsonObject);
  const tells = (field: JsonValue) =>
    isPlainObject(field) && (field["const"] !== undefined || field["enum"] !== undefined);
  return {
    named: new Map(fields.map(([name, field]) => [name, compile(field)])),
    telling: fields.flatMap(([name, field]) =>
      tells(field) ? [[name, compile(field)] as const] : [],
    ),
    patterns: Object.entries(patternProperties as JsonObject).map(([source, field]) => ({
      matches: compileMatch(source),
      check: compile(field),
    })),
    rest: compileRest(additionalProperties, compile),
  };
}

function compileRest(
  schema: JsonValue | undefined,
  compile: SchemaCompiler["compile"],
): FieldChecks["rest"] {
  if (schema === undefined) return undefined;
  return schema === false ? "refused" : compile(schema);
}

function checkTelling(
  value: JsonObject,
  { telling }: FieldChecks,
  evaluation: Evaluation,
): boolean {
  return telling.every(([name, check]) => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    return field === undefined || descend(check, { key: name, value: field }, evaluation);
  });
}

function checkField(
  name: string,
  value: JsonObject,
  { named, patterns, rest }: FieldChecks,
  evaluation: Evaluation,
): boolean {
  if (!spend(evaluation, 1)) return false;
  const field = { key: name, value: value[name] ?? null };
  const check = named.get(name);
  let isMatched = check !== undefined;
  let isValid = check === undefined || descend(check, field, evaluation);
  for (const pattern of patterns) {
    if (!pattern.matches(name, evaluation)) continue;
    isMatched = true;
    isValid = descend(pattern.check, field, evaluation) && isValid;
  }
  if (!isMatched && rest !== undefined) {
    isMatched = true;
    if (rest === "refused") isValid = refuseField(name, [...named.keys()], evaluation);
    else isValid = descend(rest, field, evaluation);
  }
  if (isMatched) evaluation.covered?.names.add(name);
  return isValid;
}

export const objectKeywords: readonly KeywordCompiler[] = [
  compileRequired,
  compileMinProperties,
  compileMaxProperties,
  compileDependentRequired,
  compilePropertyNames,
  compileFields,
  compileDependentSchemas,
];
