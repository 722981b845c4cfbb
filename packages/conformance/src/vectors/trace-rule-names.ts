/**
 * Properties of a whole trace that a vector can ask for by name (spec/conformance.md, "Trace
 * rules").
 */
export const TRACE_RULE_NAMES = [
  "event-fields",
  "times-in-order",
  "one-terminal-event",
  "child-ids",
  "parent-ids",
  "child-frames",
  "durations-fit",
] as const;
export type TraceRuleName = (typeof TRACE_RULE_NAMES)[number];
