/** Keywords for what no other keyword of the schema has looked at. They are applied last. */
import { isPlainObject } from "@turnseal/protocol";
import { spend } from "../meter.ts";
import { descend } from "./evaluation.ts";
import type { KeywordCompiler } from "./keyword.ts";
import { isList } from "./list-keywords.ts";
import { isObject } from "./object-keywords.ts";
import { refuseField } from "./refuse-field.ts";

const compileUnevaluatedProperties: KeywordCompiler = (
  { unevaluatedProperties, properties },
  { compile },
) => {
  if (unevaluatedProperties === undefined) return undefined;
  const check = compile(unevaluatedProperties);
  const known = isPlainObject(properties) ? Object.keys(properties) : [];
  return (value, evaluation) => {
    if (!isObject(value)) return true;
    const { covered } = evaluation;
    for (const [name, field] of Object.entries(value)) {
      if (!spend(evaluation, 1)) return false;
      if (covered?.names.has(name)) continue;
      if (unevaluatedProperties === false) return refuseField(name, known, evaluation);
      if (!descend(check, { key: name, value: field }, evaluation)) return false;
      covered?.names.add(name);
    }
    return true;
  };
};

const compileUnevaluatedItems: KeywordCompiler = ({ unevaluatedItems }, { compile }) => {
  if (unevaluatedItems === undefined) return undefined;
  const check = compile(unevaluatedItems);
  return (value, evaluation) => {
    if (!isList(value)) return true;
    const { covered } = evaluation;
    for (const [index, item] of value.entries()) {
      if (!spend(evaluation, 1)) return false;
      const isCovered = index < (covered?.itemsBefore ?? 0) || covered?.indexes.has(index);
      if (!isCovered && !descend(check, { key: index, value: item }, evaluation)) return false;
    }
    if (covered !== undefined) covered.itemsBefore = value.length;
    return true;
  };
};

export const unevaluatedKeywords: readonly KeywordCompiler[] = [
  compileUnevaluatedProperties,
  compileUnevaluatedItems,
];
