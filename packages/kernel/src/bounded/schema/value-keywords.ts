/** Keywords for values of every type: `type`, `const`, `enum`. */
import type { JsonValue } from "@turnseal/protocol";
import { spend } from "../meter.ts";
import { addFault, type Check } from "./evaluation.ts";
import type { KeywordCompiler } from "./keyword.ts";
import { countNodes, isSameValue } from "./same-value.ts";

const tests: ReadonlyMap<JsonValue, (value: JsonValue) => boolean> = new Map([
  ["null", (value: JsonValue) => value === null],
  ["boolean", (value: JsonValue) => typeof value === "boolean"],
  ["number", (value: JsonValue) => typeof value === "number"],
  ["integer", (value: JsonValue) => Number.isInteger(value)],
  ["string", (value: JsonValue) => typeof value === "string"],
  ["array", (value: JsonValue) => Array.isArray(value)],
  ["object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)],
]);

const compileType: KeywordCompiler = ({ type }) => {
  if (type === undefined) return undefined;
  const names: readonly JsonValue[] = Array.isArray(type) ? type : [type];
  const accepted = names.flatMap((name) => tests.get(name) ?? []);
  const message = `must be ${names.join(" or ")}`;
  const [only] = accepted;
  const accepts =
    accepted.length === 1 && only !== undefined
      ? only
      : (value: JsonValue) => accepted.some((test) => test(value));
  return (value, evaluation) => accepts(value) || addFault(evaluation, message);
};

const compileConst: KeywordCompiler = (schema) => {
  const expected = schema["const"];
  return expected === undefined ? undefined : oneOfValues([expected], "must be the constant");
};

const compileEnum: KeywordCompiler = (schema) => {
  const values = schema["enum"];
  return Array.isArray(values)
    ? oneOfValues(values, "must be one of the listed values")
    : undefined;
};

function oneOfValues(values: readonly JsonValue[], message: string): Check {
  const isScalar = (value: JsonValue) => typeof value !== "object" || value === null;
  const scalars = new Set(values.filter(isScalar));
  const structures = values.filter((value) => !isScalar(value));
  const steps = structures.reduce<number>((sum, value) => sum + countNodes(value), 0);
  return (value, evaluation) => {
    if (isScalar(value)) return scalars.has(value) || addFault(evaluation, message);
    const isFound =
      spend(evaluation, steps) && structures.some((expected) => isSameValue(expected, value));
    return isFound || addFault(evaluation, message);
  };
}

export const valueKeywords: readonly KeywordCompiler[] = [compileType, compileConst, compileEnum];
