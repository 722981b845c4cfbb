/**
 * Makes functions of the parts of an expression. The library parses the text; only the functions
 * here evaluate it. So an unknown part is refused, and never reaches a fact.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import { findNearest, NEAREST_LENGTH_MAX } from "@turnseal/protocol";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { FUNCTIONS, PLAIN_METHODS, TEXT_METHODS } from "./functions.ts";
import { choose, either, filterItems, mapItems, not, oneItem, someItem } from "./logic.ts";
import { OPERATORS, type Operator } from "./operators.ts";
import { type Evaluate, metered } from "./scope.ts";
import { spendOnText } from "./spend-on-text.ts";
import {
  Failure,
  FIELD_MISSING,
  isObject,
  readField,
  readIndex,
  STEPS_EXHAUSTED,
  TYPE_MISMATCH,
} from "./value.ts";

/** The names that an expression may use, each with its fields where they are known. */
export type KnownNames = ReadonlyMap<string, readonly string[] | undefined>;

/** The facts known while an expression is compiled. */
export interface Compiling {
  readonly names: KnownNames;
  /** Names of items, by where macros keep them. */
  readonly slots: ReadonlyMap<string, number>;
  /** Takes the first thing that is wrong. */
  readonly refuse: (node: ASTNode, message: string) => void;
}

/** Compiles a node with everything below it. */
export function compileNode(node: ASTNode, compiling: Compiling): Evaluate {
  return metered(compileParts(node, compiling) ?? refused);
}

// Stands where something was refused; the whole is refused then, and this is never run.
const refused: Evaluate = () => TYPE_MISMATCH;

function compileParts(node: ASTNode, compiling: Compiling): Evaluate | undefined {
  const compile = (part: ASTNode): Evaluate => compileNode(part, compiling);
  switch (node.op) {
    case "value":
      return compileLiteral(node, compiling);
    case "id":
      return compileName(node, node.args, compiling);
    case ".":
      return compileField(node, node.args, compiling);
    case "[]": {
      const [value, index] = node.args.map(compile) as [Evaluate, Evaluate];
      return (scope) => readIndex(value(scope), index(scope));
    }
    case "list":
      return compileList(node.args.map(compile));
    case "call":
      return compileCall(node, node.args, compiling);
    case "rcall":
      return compileMethod(node, node.args, compiling);
    case "?:": {
      const [condition, yes, no] = node.args;
      return choose(compile(condition), compile(yes), compile(no));
    }
    case "||":
    case "&&":
      return either(node.op === "||", compile(node.args[0]), compile(node.args[1]));
    case "!_":
      return not(compile(node.args));
    case "-_":
      return compileOperator(OPERATORS["-"] as Operator, () => 0, compile(node.args));
    default:
      return compileBinary(node, compiling);
  }
}

function compileBinary(node: ASTNode, compiling: Compiling): Evaluate | undefined {
  const operator = Object.hasOwn(OPERATORS, node.op) ? OPERATORS[node.op] : undefined;
  if (operator === undefined) {
    const message = unavailable.get(node.op) ?? `\`${node.op}\` is not available`;
    compiling.refuse(node, message);
    return undefined;
  }
  const [left, right] = node.args as [ASTNode, ASTNode];
  return compileOperator(operator, compileNode(left, compiling), compileNode(right, compiling));
}

const unavailable: ReadonlyMap<string, string> = new Map([
  ["/", "there is no division: compare with a product instead"],
  ["map", "there are no maps in expressions"],
]);

function compileOperator(operator: Operator, left: Evaluate, right: Evaluate): Evaluate {
  return (scope) => {
    const first = left(scope);
    if (first instanceof Failure) return first;
    const second = right(scope);
    return second instanceof Failure ? second : operator(first, second, scope);
  };
}

function compileLiteral(node: ASTNode, { refuse }: Compiling): Evaluate | undefined {
  const literal: unknown = node.args;
  if (literal === null) return () => null;
  if (typeof literal === "string" || typeof literal === "boolean") return () => literal;
  const number = Number(literal);
  const isNumber = typeof literal === "number" || typeof literal === "bigint";
  if (isNumber && (Number.isSafeInteger(number) || !Number.isInteger(number))) return () => number;
  refuse(node, isNumber ? "a number is too large to be exact" : "a literal is of an unknown kind");
  return undefined;
}

function compileName(node: ASTNode, name: string, compiling: Compiling): Evaluate | undefined {
  const slot = compiling.slots.get(name);
  if (slot !== undefined) return ({ items }) => items[slot] ?? null;
  // Facts differ by place: an absent one is missing, and never null.
  if (compiling.names.has(name)) return ({ facts }) => readField(facts, name);
  compiling.refuse(node, `\`${name}\` is not known; ${describeNames(name, compiling.names)}`);
  return undefined;
}

/** Names that are shown where another was written; a document may have hundreds. */
const NAMES_SHOWN = 12;

function describeNames(name: string, names: KnownNames): string {
  const known = [...names.keys()];
  const nearest = findNearest(name, known);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  const short = known.filter(({ length }) => length <= NEAREST_LENGTH_MAX).slice(0, NAMES_SHOWN);
  const more = known.length - short.length;
  return `there are ${short.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

function compileField(
  node: ASTNode,
  [value, name]: readonly [ASTNode, string],
  compiling: Compiling,
): Evaluate {
  const fact = value.op === "id" && !compiling.slots.has(value.args) ? value.args : "";
  const fields = compiling.names.get(fact);
  if (fields !== undefined && !fields.includes(name)) {
    compiling.refuse(node, `\`${fact}\` has no \`${name}\`, only ${fields.join(", ")}`);
  }
  const evaluate = compileNode(value, compiling);
  return (scope) => readField(evaluate(scope), name);
}

function compileList(items: readonly Evaluate[]): Evaluate {
  return (scope) => {
    const list = [];
    for (const item of items) {
      const value = item(scope);
      if (value instanceof Failure) return value;
      list.push(value);
    }
    return list;
  };
}

function compileCall(
  node: ASTNode,
  [name, args]: readonly [string, readonly ASTNode[]],
  compiling: Compiling,
): Evaluate | undefined {
  const [argument] = args;
  if (argument !== undefined && args.length === 1) {
    if (Object.hasOwn(FUNCTIONS, name)) {
      const value = compileNode(argument, compiling);
      return compileOperator(FUNCTIONS[name] as Operator, value, () => null);
    }
    if (name === "has" && argument.op === ".") return compileHas(argument.args, compiling);
  }
  const isHas = name === "has";
  const unknown = `there is no function \`${name}\` with ${countOf(args.length)}`;
  compiling.refuse(node, isHas ? "`has` takes a field, as in has(args.to)" : unknown);
  return undefined;
}

function compileHas([value, name]: readonly [ASTNode, string], compiling: Compiling): Evaluate {
  const evaluate = compileNode(value, compiling);
  return (scope) => {
    const object = evaluate(scope);
    if (object instanceof Failure) return object;
    return isObject(object) ? readField(object, name) !== FIELD_MISSING : TYPE_MISMATCH;
  };
}

function compileMethod(
  node: ASTNode,
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  compiling: Compiling,
): Evaluate | undefined {
  const [first] = args;
  const table = first === undefined ? PLAIN_METHODS : TEXT_METHODS;
  if (args.length <= 1 && Object.hasOwn(table, name)) {
    const argument = first === undefined ? () => null : compileNode(first, compiling);
    return compileOperator(table[name] as Operator, compileNode(receiver, compiling), argument);
  }
  if (name === "matches" && args.length === 1 && first !== undefined) {
    return compileMatch(receiver, first, compiling);
  }
  if (Object.hasOwn(macros, `${name}/${args.length}`)) {
    return compileMacro(name, { receiver, args }, compiling);
  }
  compiling.refuse(node, `there is no method \`${name}\` with ${countOf(args.length)}`);
  return undefined;
}

function countOf(args: number): string {
  return args === 1 ? "one argument" : `${args} arguments`;
}

function compileMatch(text: ASTNode, pattern: ASTNode, compiling: Compiling): Evaluate | undefined {
  if (pattern.op !== "value" || typeof pattern.args !== "string") {
    compiling.refuse(pattern, "the pattern of `matches` is written out as a text");
    return undefined;
  }
  const compiled = compilePattern(pattern.args);
  if (compiled.kind === "refused") {
    compiling.refuse(pattern, `the pattern ${compiled.reason}`);
    return undefined;
  }
  const match: Operator = (value, _, meter) => {
    if (typeof value !== "string") return TYPE_MISMATCH;
    return spendOnText(meter, value.length * compiled.cost)
      ? compiled.test(value)
      : STEPS_EXHAUSTED;
  };
  return compileOperator(match, compileNode(text, compiling), () => null);
}

interface MacroParts {
  readonly list: Evaluate;
  readonly slot: number;
  readonly bodies: readonly Evaluate[];
}

const macros: Readonly<Record<string, (parts: MacroParts) => Evaluate>> = {
  "all/2": (parts) => someItem(false, toIteration(parts)),
  "exists/2": (parts) => someItem(true, toIteration(parts)),
  "exists_one/2": (parts) => oneItem(toIteration(parts)),
  "filter/2": (parts) => filterItems(toIteration(parts)),
  "map/2": (parts) => mapItems(toIteration(parts)),
  "map/3": ({ bodies: [test, ...rest], ...parts }) =>
    mapItems(toIteration({ ...parts, bodies: rest }), test),
};

function toIteration({ list, slot, bodies: [body = refused] }: MacroParts) {
  return { list, slot, body };
}

function compileMacro(
  name: string,
  { receiver, args }: { receiver: ASTNode; args: readonly ASTNode[] },
  compiling: Compiling,
): Evaluate | undefined {
  const [item, ...bodies] = args;
  if (item?.op !== "id" || compiling.names.has(item.args)) {
    compiling.refuse(item ?? receiver, "an item has a name of its own, not one that is known");
    return undefined;
  }
  // Counted from what is in use, not by names: an inner item may hide an outer one of its name.
  const slot = 1 + Math.max(-1, ...compiling.slots.values());
  const inner: Compiling = {
    ...compiling,
    slots: new Map([...compiling.slots, [item.args, slot]]),
  };
  return macros[`${name}/${args.length}`]?.({
    list: compileNode(receiver, compiling),
    slot,
    bodies: bodies.map((body) => compileNode(body, inner)),
  });
}
