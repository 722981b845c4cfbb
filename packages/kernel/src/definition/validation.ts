/**
 * Whether a value fits one side of a loop: by the JSON Schema of its document, and then by the
 * refinements that were bound to it.
 *
 * Words of a refinement may repeat the value. They go to the caller who gave the value, and never
 * into an event.
 */
import type { JsonValue, Refinement } from "@turnseal/protocol";
import { copyJson, formatPointer } from "@turnseal/protocol";
import { createValidator } from "../bounded/schema/schema-validator.ts";
import { PROBLEMS_MAX } from "../limits.ts";
import { formatProblem } from "./format-problem.ts";

export interface Validation {
  /** The faults, as `path: message` lines in our own words; empty for none. */
  readonly problems: readonly string[];
  /** The words of refinements, as such lines. */
  readonly words: readonly string[];
}

export type Validate = (value: JsonValue) => Validation;

const valid: Validation = { problems: [], words: [] };

/** Checks by a schema, and by the refinements that are bound at the time of the call. */
export function createValidation(
  schema: JsonValue,
  listRefinements: () => readonly Refinement[],
): Validate {
  const validate = createValidator(schema);
  return (value) => {
    const problems = validate(value);
    // A refinement is written for values that its schema accepts.
    if (problems.length > 0) return { problems, words: [] };
    const refinements = listRefinements();
    return refinements.length === 0 ? valid : refine(value, refinements);
  };
}

function refine(value: JsonValue, refinements: readonly Refinement[]): Validation {
  const issues = refinements
    .flatMap((refinement) => refinement(copyOf(value)))
    .slice(0, PROBLEMS_MAX)
    .map(({ path, words }) => ({ place: formatPointer(path), words }));
  if (issues.length === 0) return valid;
  const problems = issues.map(({ place }) => `${place}: is refused by a refinement`);
  return {
    problems: [...new Set(problems)],
    words: issues.map(({ place, words }) => formatProblem(`${place}: ${words}`)),
  };
}

/** The author's code gets a copy: the validated value is the one that is used. */
function copyOf(value: JsonValue): JsonValue {
  const copied = copyJson(value, Number.POSITIVE_INFINITY);
  return copied.kind === "copied" ? copied.value : value;
}
