/**
 * Conditions of steps and transitions as expressions.
 *
 * A condition reads the status of its subject and the fields of its output's schema, never words in
 * a text: an output that reads like an error is none.
 */
import { findNearest, type JsonSchema } from "@turnseal/protocol";
import { addProblem, type Compiling, quote } from "./compiling.ts";
import { findSchema, readExpression } from "./variables.ts";

export const CONDITIONS = ["has_errors", "success", "empty", "contains:", "file_exists"] as const;

/** The subject of a condition. */
export interface Subject {
  /** Expressions of its status and its output. */
  readonly status: string;
  readonly output: string;
  /** An expression that is true where it ran at all; undefined if it always did. */
  readonly ran: string | undefined;
  readonly schema: JsonSchema;
}

interface Place {
  readonly compiling: Compiling;
  readonly path: string;
}

/** `file_exists` and `file_exists:<path>` are a call of their own, made before. */
export function findFileCondition(text: string): { readonly target: string } | undefined {
  const [, target = ""] = /^file_exists(?::(.*))?$/.exec(text) ?? [];
  return text.startsWith("file_exists") && /^file_exists(:|$)/.test(text) ? { target } : undefined;
}

/** The expression of a condition; undefined, with a problem, for what is none. */
export function compileCondition(
  text: string,
  subject: Subject | undefined,
  place: Place,
): string | undefined {
  if (text.startsWith("cel:")) return readExpression(text, place);
  if (text.startsWith("python:")) return refusePython(text, "condition", place);
  const test = findTest(text);
  if (test === undefined) return refuseUnknown(text, place);
  if (subject === undefined)
    return addProblem(place.compiling, {
      rule: "mapping-root",
      path: place.path,
      message: `\`${text}\` is about the step before, and there is none`,
      mend: "remove it, or write cel: and a condition of the inputs",
    });
  const cel = test(subject, place);
  return cel === undefined || subject.ran === undefined ? cel : `${subject.ran} && (${cel})`;
}

type Test = (subject: Subject, place: Place) => string | undefined;

function findTest(text: string): Test | undefined {
  if (text.startsWith("contains:")) {
    const part = text.slice("contains:".length);
    return (subject, place) => testContains(subject, part, place);
  }
  return new Map<string, Test>([
    ["has_errors", testErrors],
    ["success", ({ status, ...subject }) => joinSuccess(status, subject)],
    ["empty", testEmpty],
  ]).get(text);
}

/** It failed, or its output has a field for errors that is not empty. */
function testErrors({ status, ...subject }: Subject): string {
  const found = findErrors(subject);
  const failed = `${status} == "error"`;
  return found === undefined ? failed : `${failed} || ${found}`;
}

function joinSuccess(status: string, subject: Omit<Subject, "status">): string {
  const found = findErrors(subject);
  const ended = `${status} == "ok"`;
  return found === undefined ? ended : `${ended} && !(${found})`;
}

function findErrors({ output, schema }: Omit<Subject, "status">): string | undefined {
  const errors = findSchema(schema, "errors");
  if (errors === true) return undefined;
  const field = `${output}.errors`;
  const type = typeOf(errors);
  const some =
    type === "boolean"
      ? field
      : /number|integer/.test(type)
        ? `${field} > 0`
        : `size(${field}) > 0`;
  const { required = [] } = Object(schema) as { readonly required?: readonly string[] };
  return required.includes("errors") ? some : `(has(${field}) && ${some})`;
}

function testEmpty({ status, output }: Subject): string {
  const nothing = ["null", '""', "[]"].map((value) => `${output} == ${value}`).join(" || ");
  return `${status} == "ok" && (${nothing})`;
}

function testContains({ status, output, schema }: Subject, part: string, place: Place) {
  const ended = `${status} == "ok"`;
  if (typeOf(schema) === "string") return `${ended} && ${output}.contains(${quote(part)})`;
  if (typeOf(schema) === "array") return `${ended} && ${quote(part)} in ${output}`;
  const text = findSchema(schema, "text");
  if (typeOf(text) === "string") return `${ended} && ${output}.text.contains(${quote(part)})`;
  return addProblem(place.compiling, {
    rule: "mapping-expression",
    path: place.path,
    message: "`contains:` looks into a text or a list, and the output before is neither",
    mend: "give the tool an output of type string or array, or one with a field `text`",
  });
}

function typeOf(schema: JsonSchema): string {
  const type = typeof schema === "object" ? schema["type"] : undefined;
  return typeof type === "string" ? type : "";
}

/** True if the loop answered yes: its output is true, or has a true field. */
export function readAnswer(output: string, schema: JsonSchema, field: string): string {
  return typeOf(schema) === "boolean" ? output : `${output}.${field}`;
}

function refuseUnknown(text: string, { compiling, path }: Place): undefined {
  const nearest = findNearest(text, CONDITIONS);
  return addProblem(compiling, {
    rule: "mapping-expression",
    path,
    message: `the condition \`${text}\` is not known`,
    mend:
      nearest === undefined
        ? `write one of ${CONDITIONS.join(", ")}, or cel: and an expression`
        : `write ${nearest}`,
  });
}

const PYTHON: readonly (readonly [RegExp, string])[] = [
  [/\blen\(/g, "size("],
  [/\bnot in\b/g, "!in"],
  [/\bnot\s+/g, "!"],
  [/\band\b/g, "&&"],
  [/\bor\b/g, "||"],
  [/\bTrue\b/g, "true"],
  [/\bFalse\b/g, "false"],
  [/\bNone\b/g, "null"],
];

/** There is no code in a file: what was written is shown as the expression it could be. */
export function refusePython(text: string, key: string, { compiling, path }: Place): undefined {
  const code = text.slice("python:".length).trim();
  const cel = PYTHON.reduce((part, [pattern, word]) => part.replaceAll(pattern, word), code);
  const isCall = /^[\w.-]+\(\)$/.test(cel);
  const source = cel.slice(0, -2).replaceAll("_", "-");
  return addProblem(compiling, {
    rule: "mapping-expression",
    path,
    message: "a workflow file has no code",
    mend: isCall
      ? `register a loop ${source} that gives it, and write ${key} = ${quote(source)}`
      : `write ${key} = ${quote(`cel:${cel}`)}, with the names of inputs and steps`,
  });
}
