/** Keywords for strings. Lengths count code points, as the standard has it. */

import { spend } from "../meter.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { addFault, type Evaluation } from "./evaluation.ts";
import { formats } from "./formats.ts";
import type { KeywordCompiler } from "./keyword.ts";

const compileMinLength: KeywordCompiler = ({ minLength }) => {
  if (typeof minLength !== "number") return undefined;
  const message = `must have at least ${minLength} characters`;
  return (value, evaluation) =>
    typeof value !== "string" ||
    countCodePoints(value, minLength, evaluation) >= minLength ||
    addFault(evaluation, message);
};

const compileMaxLength: KeywordCompiler = ({ maxLength }) => {
  if (typeof maxLength !== "number") return undefined;
  const message = `must have at most ${maxLength} characters`;
  return (value, evaluation) =>
    typeof value !== "string" ||
    countCodePoints(value, maxLength + 1, evaluation) <= maxLength ||
    addFault(evaluation, message);
};

/** The number of code points, or some number from `enough` on when there are that many. */
function countCodePoints(text: string, enough: number, evaluation: Evaluation): number {
  // A code point has one or two units, so that most texts are decided by their length.
  if (text.length < enough) return text.length;
  if (text.length >= enough * 2) return enough;
  spend(evaluation, text.length);
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const compilePatternKeyword: KeywordCompiler = ({ pattern }) => {
  if (typeof pattern !== "string") return undefined;
  const matches = compileMatch(pattern);
  const message = `must match the pattern ${pattern}`;
  return (value, evaluation) =>
    typeof value !== "string" || matches(value, evaluation) || addFault(evaluation, message);
};

const compileFormat: KeywordCompiler = ({ format }) => {
  const hasFormat = typeof format === "string" ? formats.get(format) : undefined;
  if (hasFormat === undefined) return undefined;
  const message = `must be of the format ${format}`;
  return (value, evaluation) =>
    typeof value !== "string" ||
    (spend(evaluation, 1 + value.length) && hasFormat(value)) ||
    addFault(evaluation, message);
};

// A character takes about one step, and about fifty words of the pattern's own work take another.
// So one pattern can be applied to the largest text there is.
const CHARACTER_STEPS = 1;
const WORDS_PER_STEP = 50;

/** Whether a text matches; a pattern that was refused at registration matches nothing. */
export function compileMatch(pattern: string): (text: string, evaluation: Evaluation) => boolean {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "refused") return () => false;
  const steps = CHARACTER_STEPS + compiled.cost / WORDS_PER_STEP;
  return (text, evaluation) =>
    spend(evaluation, 1 + Math.ceil(text.length * steps)) && compiled.test(text);
}

export const textKeywords: readonly KeywordCompiler[] = [
  compileMinLength,
  compileMaxLength,
  compilePatternKeyword,
  compileFormat,
];
