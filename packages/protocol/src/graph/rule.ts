/**
 * The rule language of invariants (spec/graph.md §4): one rule about one value, as a text.
 *
 * 1. A text that is no rule is refused, and never counts as holding.
 * 2. A path from the top names its scope first: `context.context_id`. A path that begins with a dot
 *    starts at the object with the value: `.status`.
 */
import { canonicalize, isPlainObject, type JsonValue } from "../canonical-json.ts";
import { isDateTime } from "./date-time.ts";
import { isFilled, isId } from "./object-parts.ts";

/** The values around a value that a rule may refer to. */
export interface Surroundings {
  readonly top: JsonValue;
  /** The object that holds the value. */
  readonly holder: JsonValue | undefined;
}

/** A value that is not there is undefined. */
export type Judgement = (value: JsonValue | undefined, around: Surroundings) => Verdict;
/** `unasked`: the condition of the rule does not hold. */
export type Verdict = "holds" | "broken" | "unasked";

export type ParsedRule =
  | { readonly kind: "parsed"; readonly judge: Judgement }
  | { readonly kind: "refused"; readonly problem: string };

/** Texts longer than this are no rules. */
export const RULE_LENGTH_MAX = 1024;
/** How deep conditions may stand in each other. */
export const RULE_DEPTH_MAX = 8;

const rulePattern = /^([a-z][a-z0-9-]*)(?:\((.*)\))?$/s;
const pathPattern = /^\.?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

type ReadArguments = (text: string, depth: number) => ParsedRule;

export function parseRule(text: string, depth = 1): ParsedRule {
  if (text.length > RULE_LENGTH_MAX) return refuse("the rule is too long");
  if (depth > RULE_DEPTH_MAX) return refuse("the rule is too deep");
  const [, name = "", argument] = rulePattern.exec(text.trim()) ?? [];
  const plain = plainRules.get(name);
  if (plain !== undefined && argument === undefined) return judgeBy(plain);
  const read = rulesWithArguments.get(name);
  if (read !== undefined && argument !== undefined) return read(argument.trim(), depth);
  return refuse(`${text.trim()} is no rule`);
}

const plainRules: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ["uuid-v4", isId as (value: JsonValue) => boolean],
  ["non-empty-string", isFilled as (value: JsonValue) => boolean],
  ["iso-datetime", isDateTime as (value: JsonValue) => boolean],
  ["exists", (value) => value !== null],
  ["positive-integer", (value) => Number.isSafeInteger(value) && Number(value) > 0],
]);

const rulesWithArguments: ReadonlyMap<string, ReadArguments> = new Map<string, ReadArguments>([
  ["eq", readEquality],
  ["min-length", readLength],
  ["enum", readWords],
  ["one-of", readChoices],
  ["if", readCondition],
]);

function readEquality(argument: string): ParsedRule {
  const other = readOperand(argument);
  if (other === undefined) return refuse(`${argument} is neither a JSON value nor a path`);
  return {
    kind: "parsed",
    judge: (value, around) => toVerdict(isSame(value, other(around))),
  };
}

function readLength(argument: string): ParsedRule {
  if (!/^\d{1,9}$/.test(argument)) return refuse(`${argument} is no length`);
  return judgeBy(
    (value) => (Array.isArray(value) || typeof value === "string") && value.length >= +argument,
  );
}

function readWords(argument: string): ParsedRule {
  const words = argument.split(",").map((word) => word.trim());
  if (words.includes("")) return refuse("an enum has words between its commas");
  return judgeBy((value) => typeof value === "string" && words.includes(value));
}

function readChoices(argument: string): ParsedRule {
  const choices = readJson(argument);
  if (!Array.isArray(choices) || choices.length === 0)
    return refuse(`${argument} is no JSON list of choices`);
  return judgeBy((value) => choices.some((choice) => isSame(value, choice)));
}

/** `if(path == value, rule)`, or `if(path, rule)` where it is enough that something is there. */
function readCondition(argument: string, depth: number): ParsedRule {
  const comma = findComma(argument);
  const [path = "", value, ...more] = argument.slice(0, comma).split("==");
  const asked = readPath(path.trim());
  const wanted = value === undefined ? undefined : readOperand(value.trim());
  const isWrong = comma === -1 || more.length > 0 || (value !== undefined && !wanted);
  if (asked === undefined || isWrong)
    return refuse(`${argument} is no condition with a rule after a comma`);
  const rule = parseRule(argument.slice(comma + 1), depth + 1);
  if (rule.kind === "refused") return rule;
  const isMet = (around: Surroundings) =>
    wanted === undefined ? (asked(around) ?? null) !== null : isSame(asked(around), wanted(around));
  return {
    kind: "parsed",
    judge: (judged, around) => (isMet(around) ? rule.judge(judged, around) : "unasked"),
  };
}

/** The first comma outside of quotes: a condition may compare with a text that holds one. */
function findComma(text: string): number {
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\" && isQuoted) index += 1;
    else if (text[index] === '"') isQuoted = !isQuoted;
    else if (text[index] === "," && !isQuoted) return index;
  }
  return -1;
}

type Operand = (around: Surroundings) => JsonValue | undefined;

function readOperand(text: string): Operand | undefined {
  const value = readJson(text);
  return value === undefined ? readPath(text) : () => value;
}

function readPath(text: string): Operand | undefined {
  if (!pathPattern.test(text)) return undefined;
  const isBeside = text.startsWith(".");
  const names = (isBeside ? text.slice(1) : text).split(".");
  return ({ top, holder }) => names.reduce(readField, isBeside ? holder : top);
}

/** A field of an object; undefined when it is not there. */
export function readField(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isPlainObject(value) && Object.hasOwn(value, name)
    ? (value[name] as JsonValue)
    : undefined;
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isSame(value: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return value !== undefined && other !== undefined && canonicalize(value) === canonicalize(other);
}

function judgeBy(holds: (value: JsonValue) => boolean): ParsedRule {
  return {
    kind: "parsed",
    judge: (value) => toVerdict(value !== undefined && holds(value)),
  };
}

function toVerdict(holds: boolean): Verdict {
  return holds ? "holds" : "broken";
}

function refuse(problem: string): ParsedRule {
  return { kind: "refused", problem };
}
