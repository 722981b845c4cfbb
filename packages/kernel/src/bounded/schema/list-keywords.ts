/** Keywords for lists. */
import type { JsonValue } from "@turnseal/protocol";
import { spend } from "../meter.ts";
import {
  addFault,
  attempt,
  type Check,
  descend,
  type Evaluation,
  isDecided,
} from "./evaluation.ts";
import type { KeywordCompiler } from "./keyword.ts";
import { nameValue } from "./same-value.ts";

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const compileMinItems: KeywordCompiler = ({ minItems }) => {
  if (typeof minItems !== "number") return undefined;
  const message = `must have at least ${minItems} items`;
  return (value, evaluation) =>
    !isList(value) || value.length >= minItems || addFault(evaluation, message);
};

const compileMaxItems: KeywordCompiler = ({ maxItems }) => {
  if (typeof maxItems !== "number") return undefined;
  const message = `must have at most ${maxItems} items`;
  return (value, evaluation) =>
    !isList(value) || value.length <= maxItems || addFault(evaluation, message);
};

const compileUniqueItems: KeywordCompiler = ({ uniqueItems }) => {
  if (uniqueItems !== true) return undefined;
  return (value, evaluation) => {
    if (!isList(value) || value.length < 2) return true;
    const names = new Set<string>();
    for (const item of value) {
      if (!spend(evaluation, 1)) return false;
      names.add(nameValue(item, evaluation));
    }
    return names.size === value.length || addFault(evaluation, "must not have equal items");
  };
};

const compileItems: KeywordCompiler = ({ prefixItems, items }, { compile }) => {
  if (prefixItems === undefined && items === undefined) return undefined;
  const prefix = Array.isArray(prefixItems) ? prefixItems.map(compile) : [];
  const rest = items === undefined ? undefined : compile(items);
  return (value, evaluation) => {
    if (!isList(value)) return true;
    const { covered } = evaluation;
    const checked = rest === undefined ? Math.min(prefix.length, value.length) : value.length;
    if (covered !== undefined) covered.itemsBefore = Math.max(covered.itemsBefore, checked);
    let isValid = true;
    for (let index = 0; index < checked; index++) {
      const check = prefix[index] ?? rest ?? acceptItem;
      if (descend(check, { key: index, value: value[index] ?? null }, evaluation)) continue;
      isValid = false;
      if (isDecided(evaluation)) break;
    }
    return isValid;
  };
};

const acceptItem: Check = () => true;

const compileContains: KeywordCompiler = (schema, { compile }) => {
  const { contains, minContains = 1, maxContains } = schema;
  if (contains === undefined) return undefined;
  const check = compile(contains);
  const least = Number(minContains);
  const most = maxContains === undefined ? Number.POSITIVE_INFINITY : Number(maxContains);
  return (value, evaluation) => {
    if (!isList(value)) return true;
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!attemptItem(check, item, evaluation)) continue;
      count++;
      evaluation.covered?.indexes.add(index);
    }
    if (count < least) return addFault(evaluation, `must have at least ${least} items that fit`);
    return count <= most || addFault(evaluation, `must have at most ${most} items that fit`);
  };
};

function attemptItem(check: Check, item: JsonValue, evaluation: Evaluation): boolean {
  const { covered } = evaluation;
  evaluation.covered = undefined;
  const isValid = spend(evaluation, 1) && attempt(check, item, evaluation);
  evaluation.covered = covered;
  return isValid;
}

export const listKeywords: readonly KeywordCompiler[] = [
  compileMinItems,
  compileMaxItems,
  compileUniqueItems,
  compileItems,
  compileContains,
];
