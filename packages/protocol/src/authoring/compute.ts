/**
 * Small computed values of mappings: a text with values in it, and a default. Both print an
 * expression (spec/mapping.md §5), so that a loop is the same document as one written by hand.
 */
import { canonicalize } from "../canonical-json.ts";
import { formatPath, type PathSegment } from "../loop/path.ts";
import { AuthoringError } from "./authoring-error.ts";
import { createComputed, type Placeholder, readPlaceholder } from "./reference.ts";

/** What can be written into a text in one way. */
type Plain = string | number | boolean;

/** What may stand in a text; for everything else, what the compiler says of it. */
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
type Constant = Plain | null | readonly Plain[];

type Resolved<Default> = Default extends Placeholder<infer Value> ? Value : Default;

/**
 * What a reference leads to, or the default where that is missing or null on any part of the way.
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
  const guards = source?.kind === "path" ? listGuards(source.segments) : [`${operand} != null`];
  return createComputed(`${guards.join(" && ")} ? ${operand} : ${formatOperand(otherwise)}`);
}

function formatOperand(value: unknown): string {
  const source = readPlaceholder(value);
  if (source?.kind === "path") return formatWay(source.segments);
  if (source?.kind === "expression") return `(${source.cel})`;
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => typeof part === "object" && part !== null))
    throw new AuthoringError(
      "REFERENCE_MISPLACED",
      "a default is a text, a number, true, false, null, a list of those, or one reference",
    );
  return canonicalize(value);
}

/** What must hold, from the outside in, for the way to lead to a value that is not null. */
function listGuards(segments: readonly PathSegment[]): string[] {
  // A step has a result and the result its facts: what can be missing stands below them.
  const first = segments[0] === "input" ? 1 : 2;
  if (segments.length <= first) return [`${formatWay(segments)} != null`];
  return segments.slice(first).flatMap((segment, index) => {
    const holder = formatWay(segments.slice(0, first + index));
    const way = formatWay(segments.slice(0, first + index + 1));
    return [formatPresence(holder, segment), `${way} != null`];
  });
}

function formatPresence(holder: string, segment: PathSegment): string {
  if (typeof segment === "string")
    return isSelector(segment) ? `has(${holder}.${segment})` : `${quote(segment)} in ${holder}`;
  return `size(${holder}) ${segment < 0 ? ">=" : ">"} ${Math.abs(segment)}`;
}

function formatWay([root, ...rest]: readonly PathSegment[]): string {
  if (typeof root !== "string" || !isSelector(root)) {
    const path = formatPath(root === undefined ? [] : [root]);
    throw new AuthoringError(
      "REFERENCE_MISPLACED",
      `${path} cannot be named in an expression: call the binding by letters, digits and _`,
    );
  }
  return rest.reduce<string>((way, segment) => {
    if (typeof segment === "string")
      return isSelector(segment) ? `${way}.${segment}` : `${way}[${quote(segment)}]`;
    return segment < 0 ? `${way}[size(${way}) - ${-segment}]` : `${way}[${segment}]`;
  }, root);
}

const keywords: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

function isSelector(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !keywords.has(name);
}

function quote(name: string): string {
  return canonicalize(name);
}
