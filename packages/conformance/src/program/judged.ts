/** The subjects that are judged without a run. */
export const JUDGED = [
  "tool-reference",
  "scope",
  "glob-containment",
  "glob-match",
  "admit",
  "attenuate",
  "excess",
  "policy",
  "decide",
  "condition",
  "pattern",
] as const;
export type Judged = (typeof JUDGED)[number];
/** The subjects about sessions that are judged without a run. */
export const SESSION_JUDGED = [
  "event-types",
  "event-content",
  "envelope",
  "loops-tool",
  "entry-point",
] as const;
export type SessionJudged = (typeof SESSION_JUDGED)[number];
/** The subjects about graphs that are judged without a run. */
export const GRAPH_JUDGED = [
  "graph-object",
  "graph-transition",
  "graph-rule",
  "graph-invariants",
  "graph-changes",
] as const;
export type GraphJudged = (typeof GRAPH_JUDGED)[number];
