/**
 * Checks of a library's schema beyond its JSON Schema: `refine` of zod, `narrow` of arktype.
 *
 * 1. A refinement is code. The document does not contain it, and its digest does not cover it: it
 *    is bound to the loop, like the function of a tool.
 * 2. It answers at once, and looks only at the value: a resume asks it again.
 * 3. It only refuses. Values that a library returns are not used.
 */
import type { JsonValue } from "../canonical-json.ts";

/** One thing that a refinement refuses. Its words are content: they may repeat the value. */
export interface RefinementIssue {
  readonly path: readonly string[];
  readonly words: string;
}

/** The problems of a value that its JSON Schema accepts; empty if it is valid. */
export type Refinement = (value: JsonValue) => readonly RefinementIssue[];

/** The refinements of a loop, where its schemas come from a library. */
export interface Refinements {
  readonly input?: Refinement;
  readonly output?: Refinement;
}

/** The answer of a Standard Schema's `validate`. */
export type SchemaAnswer<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type ValidateBySchema = (
  value: unknown,
) => SchemaAnswer<unknown> | PromiseLike<SchemaAnswer<unknown>>;

/** The refinement that a library's own `validate` is. */
export function createRefinement(validate: ValidateBySchema): Refinement {
  return (value) => {
    try {
      return readAnswer(validate(value));
    } catch {
      // Its words may be anything. A check that breaks has not let the value pass.
      return refuseWhole("the schema broke while it looked at the value");
    }
  };
}

function readAnswer(answer: ReturnType<ValidateBySchema>): readonly RefinementIssue[] {
  if ("then" in answer) {
    // Its answer is ignored, whether it resolves or rejects.
    void Promise.resolve(answer).catch(() => {});
    return refuseWhole("the schema answers later; a refinement must answer at once");
  }
  if (answer.issues === undefined) return [];
  const issues = answer.issues.map(({ path = [], message }) => ({
    // A library's list may be of a class of its own, whose `map` gives another such.
    path: Array.from(path, (part) => String(typeof part === "object" ? part.key : part)),
    words: String(message),
  }));
  return issues.length > 0 ? issues : refuseWhole("the schema refuses the value");
}

function refuseWhole(words: string): readonly RefinementIssue[] {
  return [{ path: [], words }];
}
