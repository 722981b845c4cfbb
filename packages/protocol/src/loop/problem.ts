/** A fault of a document: its place, its rule, and how to fix it. */
export interface Problem {
  /** The rule's name, from the closed list of spec/loop.md. */
  readonly rule: ProblemRule;
  /** A JSON Pointer into the document; the empty string is the document itself. */
  readonly path: string;
  readonly message: string;
  readonly mend: string;
}

export const PROBLEM_RULES = [
  "json",
  "document-object",
  "document-size",
  "field-missing",
  "field-type",
  "field-unknown",
  "field-empty",
  "name-reserved",
  "kind-unknown",
  "body-missing",
  "body-extra",
  "version-semver",
  "schema-invalid",
  "schema-size",
  "schema-depth",
  "schema-reference",
  "schema-pattern",
  "template-size",
  "template-variable",
  "mapping-path",
  "mapping-root",
  "mapping-expression",
  "binding-name",
  "binding-repeated",
  "steps-limit",
  "flow-limit",
  "flow-state",
  "flow-unfit",
  "grant-field",
  "policy-unfit",
  "setting-unfit",
  "cache-unfit",
  "irreversible",
  "group-member",
  "registry-conflict",
  "reference-unknown",
  "reference-cycle",
  "thread-shared",
  "notes-shared",
  "reference-depth",
  "backend-scripted",
] as const;
export type ProblemRule = (typeof PROBLEM_RULES)[number];
