/** Conditions and computed values of flows: expressions over references. */
import type { Constant, Plain } from "../compute.ts";
import { formatOperand } from "../format-operand.ts";
import {
  createComputed,
  createReference,
  type Placeholder,
  type Reference,
  readPlaceholder,
} from "../reference.ts";

/**
 * An expression over references, in CEL. Without a type it is a condition.
 *
 * @example
 * .call("told", notify, mapping, { when: ({ found }) => cel`${found.output.score} >= 3` })
 */
export function cel<Value = boolean>(
  strings: TemplateStringsArray,
  ...parts: readonly (Placeholder<unknown> | Constant)[]
): Placeholder<Value> {
  // As it is written, since a backslash belongs to the expression.
  const pieces = strings.raw.map((text, index) =>
    index < parts.length ? text + formatOperand(parts[index]) : text,
  );
  return createComputed(pieces.join("").trim());
}

/**
 * True if a reference leads to this value.
 *
 * @example
 * .branch("route", [{ when: ({ found }) => is(found.output.kind, "bug"), do: ... }])
 */
export function is<Value>(
  reference: Placeholder<Value>,
  value: NoInfer<Value> & (Plain | null),
): Placeholder<boolean> {
  return createComputed(`${formatOperand(reference)} == ${formatOperand(value)}`);
}

/**
 * A reference that is known to have a value where it is read, such as the output of a node in the
 * case that asked for its status. If it has none, the call fails.
 */
export function present<Value>(reference: Placeholder<Value>): Reference<NonNullable<Value>> {
  const source = readPlaceholder(reference);
  // The types are the whole safety of a reference.
  if (source?.kind !== "path") return reference as unknown as Reference<NonNullable<Value>>;
  const { segments } = source;
  return createReference(segments, segments.length) as Reference<NonNullable<Value>>;
}

/** The form of a condition in a document. */
export function toCel(condition: unknown): string {
  const source = readPlaceholder(condition);
  return source?.kind === "expression" ? source.cel : formatOperand(condition);
}
