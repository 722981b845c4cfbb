/**
 * Validation by JSON Schema 2020-12, behind one function.
 *
 * 1. A value is never changed: no defaults, no coercion, no removal.
 * 2. The formats that the specification lists are enforced; any other is an annotation.
 * 3. Steps bound the time, for every schema and value.
 * 4. Compiling is put off until a loop is first called. The checks at registration make sure that
 *    it cannot fail then.
 */
import type { JsonValue } from "@turnseal/protocol";
import { compileSchema } from "./compile-schema.ts";
import { type Check, evaluate, type Fault } from "./evaluation.ts";
import { metaSchema } from "./meta-schema.ts";

/** Returns the faults of a value, as `path: message` lines; empty for none. */
export type Validator = (value: JsonValue) => readonly string[];

/** A validator that compiles its schema when it is first used. */
export function createValidator(schema: JsonValue): Validator {
  let check: Check | undefined;
  return (value) => {
    check ??= compileSchema(schema);
    return evaluate(check, value).map(formatFault);
  };
}

function formatFault({ path, message }: Fault): string {
  return `${path}: ${message}`;
}

const checkMeta = compileSchema(metaSchema);

/** Where a schema breaks the rules of its own language, or undefined. */
export function findSchemaFault(schema: JsonValue): Fault | undefined {
  return evaluate(checkMeta, schema)[0];
}
