/** Keywords for numbers. */

import { spend } from "../meter.ts";
import { addFault } from "./evaluation.ts";
import type { KeywordCompiler } from "./keyword.ts";

type Holds = (value: number, limit: number) => boolean;

function compileLimit(keyword: string, words: string, holds: Holds): KeywordCompiler {
  return (schema) => {
    const limit = schema[keyword];
    if (typeof limit !== "number") return undefined;
    const message = `must be ${words} ${limit}`;
    return (value, evaluation) =>
      typeof value !== "number" || holds(value, limit) || addFault(evaluation, message);
  };
}

// Scaling decimals to whole numbers takes about as long as this many steps.
const DECIMAL_STEPS = 50;

const compileMultipleOf: KeywordCompiler = ({ multipleOf }) => {
  if (typeof multipleOf !== "number") return undefined;
  const message = `must be a multiple of ${multipleOf}`;
  return (value, evaluation) => {
    if (typeof value !== "number") return true;
    const isMultiple =
      Number.isSafeInteger(value) && Number.isSafeInteger(multipleOf)
        ? value % multipleOf === 0
        : spend(evaluation, DECIMAL_STEPS) && isDecimalMultiple(value, multipleOf);
    return isMultiple || addFault(evaluation, message);
  };
};

/**
 * Exact in decimals: 19.99 is a multiple of 0.01, which a division of floating-point numbers
 * denies.
 */
function isDecimalMultiple(value: number, divisor: number): boolean {
  const [left, right] = [readDecimal(value), readDecimal(divisor)];
  const scale = Math.min(left.exponent, right.exponent);
  const leftWhole = left.digits * 10n ** BigInt(left.exponent - scale);
  const rightWhole = right.digits * 10n ** BigInt(right.exponent - scale);
  return leftWhole % rightWhole === 0n;
}

function readDecimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

export const numberKeywords: readonly KeywordCompiler[] = [
  compileLimit("minimum", "at least", (value, limit) => value >= limit),
  compileLimit("maximum", "at most", (value, limit) => value <= limit),
  compileLimit("exclusiveMinimum", "more than", (value, limit) => value > limit),
  compileLimit("exclusiveMaximum", "less than", (value, limit) => value < limit),
  compileMultipleOf,
];
