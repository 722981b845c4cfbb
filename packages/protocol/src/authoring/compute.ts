/**
 * Small computed values of mappings: a text with values in it, and a default. Both print an
 * expression (spec/mapping.md §5), so that a loop is the same document as one written by hand.
 */
import { canonicalize } from "../canonical-json.ts";
import { formatOperand, listGuards } from "./format-operand.ts";
import { createComputed, type Placeholder, readPlaceholder } from "./reference.ts";

/** A type with one way to be written into a text. */
export type Plain = string | number | boolean;

/** The types that may stand in a text; the others get a compiler message. */
type TextPart<Part> =
  Part extends Placeholder<infer Value>
    ? [Value] extends [Plain]
      ? Part
      : [Exclude<Value, null | undefined>] extends [Plain]
        ? { "it may be missing or null: write orElse(reference, default)": never }
        : { "only a text, a number, true or false can stand in a text": never }
    : Part extends Plain
      ? Part
      : { "only a text, a number, true or false can stand in a text": never };

/**
 * A text with values in it that are known when the composite runs.
 *
 * @example
 * .call("told", notify, ({ input, found }) => ({
 *   text: text`Order ${input.order} of ${found.output.name}`,
 * }))
 */
export function text<const Parts extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Parts]: TextPart<Parts[Index]> }
): Placeholder<string> {
  const pieces: string[] = [];
  let literal = strings[0] ?? "";
  const flush = (): void => {
    if (literal !== "") pieces.push(canonicalize(literal));
    literal = "";
  };
  for (const [index, part] of parts.entries()) {
    const isKnown = readPlaceholder(part) === undefined;
    if (!isKnown) flush();
    if (isKnown) literal += String(part);
    else pieces.push(`string(${formatOperand(part)})`);
    literal += strings[index + 1] ?? "";
  }
  flush();
  return createComputed(pieces.join(" + ") || '""');
}

/** A value that can be written out in an expression: it has no objects. */
export type Constant = Plain | null | readonly Plain[];

type Resolved<Default> = Default extends Placeholder<infer Value> ? Value : Default;

/**
 * The value of a reference, or the default if any part of its path is missing or null.
 *
 * @example
 * .call("told", notify, ({ input }) => ({ note: orElse(input.note, "none") }))
 */
export function orElse<Value, const Default extends Constant | Placeholder<unknown>>(
  reference: Placeholder<Value>,
  otherwise: Default,
): Placeholder<NonNullable<Value> | Resolved<Default>> {
  const source = readPlaceholder(reference);
  const operand = formatOperand(reference);
  const guards =
    source?.kind === "path"
      ? listGuards(source.segments, source.sureLength)
      : [`${operand} != null`];
  return createComputed(`${guards.join(" && ")} ? ${operand} : ${formatOperand(otherwise)}`);
}
