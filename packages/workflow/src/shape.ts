/**
 * The shape of a workflow file, as data: checks, the editors' schema and the manual come from it.
 */

export type Shape =
  | { readonly kind: "text" | "flag" | "value" }
  | { readonly kind: "count"; readonly min: number; readonly max: number }
  | { readonly kind: "seconds"; readonly max: number }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "list"; readonly of: Shape }
  /** A table whose keys are the author's own. */
  | { readonly kind: "map"; readonly of: Shape }
  /** A table that is described under this name. */
  | { readonly kind: "table"; readonly name: TableName }
  /** The first whose type fits. */
  | { readonly kind: "either"; readonly of: readonly Shape[] };

export interface KeyShape {
  readonly shape: Shape;
  /** One clause for people. */
  readonly says: string;
  readonly isRequired?: true;
}

export type TableShape = Readonly<Record<string, KeyShape>>;

export const TABLE_NAMES = [
  "document",
  "workflow",
  "limits",
  "context",
  "cache",
  "retry",
  "llm",
  "stall",
  "step",
  "scope",
  "state",
  "transition",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];
